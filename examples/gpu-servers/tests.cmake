# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment: expected/NAME.json has what each must tell.

# A workload on the servers of a file
aidc_add_variant_test(
  workload --topology=topologies/servers-8.txt --workload=training/experts-simai.txt
)

# Two servers
aidc_add_variant_test(two --topology=topologies/servers-8.txt)

# Both links of dual-homed GPUs, in planes that are not connected
aidc_add_variant_test(
  planes --fabric=hpn-dual-plane --bytes=16MB
  --scenarios=ring,ring-channels --schemes=dcqcn,timely
)

# The same files with several ranks
aidc_add_ranks_test(ring 2 --scenarios=ring,hierarchical --schemes=swift)
aidc_add_ranks_test(
  tree 4 --scenarios=double-tree,all-to-all --schemes=dcqcn,hpcc
)
