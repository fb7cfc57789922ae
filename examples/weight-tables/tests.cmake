# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment

# The same files with several processes
aidc_add_processes_test(tables 2 --scenarios=one-16 --schemes=wcmp)
