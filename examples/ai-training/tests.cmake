# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment

# The same files with several ranks
aidc_add_ranks_test(
  storage 2 --scenarios=storage --layers=1 --schemes=flow-set,coupled-ecn
)
aidc_add_ranks_test(
  quiet 4 --scenarios=quiet --layers=1 --schemes=baseline
)
