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

# Servers whose switch adds up, and NCCL's costs
aidc_add_variant_test(nvls --scenarios=nvls --schemes=none --protocol=simple)

# Clusters that have measured: what is predicted is within 10 %
aidc_add_variant_test(
  measured --measured=p5-1mib,p5-2mib,p5-4mib,p5-16mib,p5-32mib,p5-64mib,nvls-5 --schemes=none
)

# The same files with several processes
aidc_add_processes_test(ring 2 --scenarios=ring,hierarchical --schemes=swift)
aidc_add_processes_test(
  tree 4 --scenarios=double-tree,all-to-all --schemes=dcqcn,hpcc
)

# Leaps over what repeats
aidc_add_variant_test(
  leap --workload=training/dp4-tp2-pp2.json --workload-passes=10
  --schemes=dcqcn,swift --leap
)
aidc_add_processes_test(
  leap-processes 2 --workload=training/dp4-tp2-pp2.json --workload-passes=10 --schemes=dcqcn --leap
)
