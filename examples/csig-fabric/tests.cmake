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

# The same files with several processes
aidc_add_processes_test(tcp 2 --scenarios=accuracy,engineering --schemes=interval,csig-weights)
aidc_add_processes_test(
  udp 2 --scenarios=degraded-link,incast --schemes=loaded-mesh,csig-balancer
)
aidc_add_processes_test(mix 2 --scenarios=bottlenecks-50 --schemes=discard)
aidc_add_processes_test(
  senders 2 --transport=swift --scenarios=senders-incast --schemes=jump-start
)
