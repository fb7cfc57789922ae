# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment: expected/NAME.json has what each must tell.

# The same files with several processes
aidc_add_processes_test(joins 2 --scenarios=joins --schemes=int,csig,swift-csig)
aidc_add_processes_test(mix 4 --scenarios=incast,mix --schemes=int,csig-draft)
