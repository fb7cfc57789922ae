# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment: expected/NAME.json has what each must tell.

# A second job, checkpoints, and a step that begins again
aidc_add_variant_test(two-jobs --scenarios=two-jobs)
aidc_add_variant_test(checkpoint --scenarios=checkpoint)
aidc_add_variant_test(
  restart --scenarios=restart --failure-time=350us
  --ns3::aidc::RoceNic::AckTimeout=8
)

# The same files with several processes
aidc_add_processes_test(
  storage 2 --scenarios=storage --layers=1 --schemes=flow-set,coupled-ecn
)
aidc_add_processes_test(
  quiet 4 --scenarios=quiet --layers=1 --schemes=baseline
)
aidc_add_processes_test(
  jobs 2 --scenarios=two-jobs,checkpoint --layers=1 --schemes=baseline,all
)
aidc_add_processes_test(
  failure 2 --scenarios=restart --layers=1 --schemes=baseline
  --ns3::aidc::RoceNic::AckTimeout=8
)
