# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment

# The same files with several processes
aidc_add_processes_test(
  loss 2 --scenarios=loss,spray --schemes=selective-repeat,reorder-window
)
aidc_add_processes_test(pfc 2 --scenarios=incast --schemes=pfc)
