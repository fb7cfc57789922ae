# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment: expected/NAME.json has what each must tell.

# Speakers take their time: after the port, the spine decides, and then the leaves.
aidc_add_variant_test(
  decision --scenarios=link,maintenance --schemes=link-loss,plain,drain
  --ns3::aidc::BgpSpeaker::DecisionDelay=10ms
)
aidc_add_without_test(decision drain=plain)

# The same files with several processes
aidc_add_processes_test(
  sessions 2 --scenarios=silent-direction,restart-leaf
  --schemes=bfd,graceful-restart --leaves=2 --hosts=1
)
