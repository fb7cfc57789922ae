# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment, most of them over RoCEv2: expected/NAME.json has what each
# must tell.

aidc_add_variant_test(
  bottlenecks --duration=2ms --scenarios=bottlenecks-50 --runs=2
)
aidc_add_without_test(
  bottlenecks interval=pass-through interval=discard
  interval=software
)
aidc_add_variant_test(dcqcn --transport=dcqcn)
aidc_add_variant_test(swift --transport=swift)
