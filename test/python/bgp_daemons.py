# SPDX-License-Identifier: GPL-2.0-only
"""Real BGP daemons, each with a configuration and sockets in a folder of its own.

A daemon is found among the installed programs, or below the folder AIDC_BGP_DAEMONS, into which
Debian's packages have been unpacked.
"""

import grp
import ipaddress
import json
import os
import pathlib
import re
import shutil
import struct

from bgp_lab import wait_for

SYSTEM = 65000
ROUTER_ID = "10.0.0.254"
NETWORKS = [f"203.0.113.{16 * i}/28" for i in range(16)]  # the daemon's own
SYSTEMS = {  # of the speakers, by their numbers: a super-spine's, and the spine's behind it
    1: (4200000001, 4200000011),
    2: (65003, 65013),
}
OPTIONS = {  # the carriers of bandwidths, and what the spine attaches
    1: {"BandwidthCarrier": "PathBandwidth", "OriginBandwidth": "12.5e9"},
    2: {"BandwidthCarrier": "LinkBandwidth", "OriginBandwidth": "2.5e9"},
}
SPINE_BANDWIDTH = "1.25e9"  # of the link to the spine, in bytes a second
WRITTEN = {  # what the daemon is told: the spine's community, and the super-spine's
    1: ["01060a00000b4a40", "41060a0000013d00"],  # 12.5 and 1.25 GB/s as binary16
    2: ["0004fdf54f1502f9", "4004fdeb4e9502f9"],  # 2.5e9 and 1.25e9 bytes a second as binary32
}
TRANSITIVE = {number: communities[:1] for number, communities in WRITTEN.items()}
INSTALLED = pathlib.Path("/")
ROOT = pathlib.Path(os.environ.get("AIDC_BGP_DAEMONS") or INSTALLED).resolve()


def find(name):
    """The path of a program, None if there is none."""
    folders = [ROOT / folder for folder in ("usr/lib/frr", "usr/sbin", "usr/bin")]
    return shutil.which(name, path=os.pathsep.join(map(str, folders)))


def environment():
    """For the programs: where their libraries are, if they are not installed."""
    if ROOT == INSTALLED:
        return dict(os.environ)
    folders = [*ROOT.glob("usr/lib/*-linux-gnu*"), *ROOT.glob("usr/lib/*-linux-gnu*/frr")]
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(map(str, folders))}


def link_bandwidth(kind, system, bandwidth):
    """A link bandwidth (RFC 10005) as 16 digits."""
    return struct.pack(">HHf", kind, system, bandwidth).hex()


def rounded(bandwidth):
    """A bandwidth as binary32 has it."""
    return struct.unpack(">f", struct.pack(">f", bandwidth))[0]


class Daemon:
    """A daemon with a session to each of two speakers.

    By the speakers' numbers, SHOWN has what it shows of their communities, PASSED_ON what becomes
    of them at the other speaker, LEARNED the communities of the daemon's own routes as a speaker
    has them, and WEIGHTS the weights of these routes there.
    """

    PROGRAMS = ()
    SHOWN = WRITTEN
    PASSED_ON = TRANSITIVE
    ASKS_FOR_ROUTES = True
    LEARNED = {}
    WEIGHTS = {}

    def __init__(self, lab, speakers, bfd=0):
        """With bfd, BGP uses BFD: so many ms in both directions, multiplier 3."""
        self.lab = lab
        self.speakers = speakers
        self.bfd = bfd
        self.folder = lab.folder
        self.programs = {name: find(name) for name in self.PROGRAMS}
        self.processes = {}
        self.announced = set()  # networks that it has from its start on

    @classmethod
    def missing(cls):
        """The programs that are not there."""
        return [name for name in cls.PROGRAMS if not find(name)]

    def spawn(self, program, *arguments):
        """Starts one of its programs, which is one of its processes then."""
        path = self.programs[program]
        self.processes[program] = self.lab.start(program, path, *arguments, env=environment())

    def call(self, program, *arguments):
        """Runs one of its programs to the end, and returns what it has printed."""
        return self.lab.run(self.programs[program], *arguments, env=environment())

    def write(self, name, text):
        """Writes a file of its folder, and returns its path."""
        path = self.folder / name
        path.write_text(text)
        return path


class Bird(Daemon):
    """BIRD 2, whose own routes can have any community: here both kinds of bandwidths.

    They are 12.5 GB/s as binary16, and 50e9 bytes a second as binary32.
    """

    PROGRAMS = ("bird", "birdc")
    BFD_PROGRAM = "bird"
    BFD_CEASE = "(6/0)"  # of NOTIFICATIONs when BFD is down
    COMMUNITIES = ["01060a0000fe4a40", "0004fde8513a43b7"]
    LEARNED = {1: COMMUNITIES, 2: COMMUNITIES}
    WEIGHTS = {1: 12.5e9, 2: rounded(50e9)}
    SESSION = ""  # more settings of each session
    IMPORT = "all"
    EXPORT = "all"
    ARGUMENTS = ()

    def start(self):
        """Starts the daemon, with the own routes that are announced."""
        config = self.write_config()
        self.spawn("bird", "-f", *self.ARGUMENTS, "-c", config, "-s", self.folder / "bird.ctl")
        wait_for("BIRD's socket", (self.folder / "bird.ctl").exists)

    def write_config(self):
        """Writes the configuration, and returns its path."""
        lines = [
            f"router id {ROUTER_ID};",
            f'log "{self.folder}/bird.log" all;',
            "protocol device {}",
        ]
        if self.bfd:
            times = f"min rx interval {self.bfd} ms; min tx interval {self.bfd} ms; multiplier 3;"
            lines.append(f'protocol bfd {{ interface "tap*" {{ {times} }}; }}')
        add = " ".join(
            f"bgp_ext_community.add((generic, 0x{octets[:8]}, 0x{octets[8:]}));"
            for octets in self.COMMUNITIES
        )
        for i, network in enumerate(NETWORKS):
            route = f"route {network} blackhole {{ {add} }};"
            state = "" if network in self.announced else "disabled; "
            lines.append(f"protocol static own{i} {{ {state}ipv4; {route} }}")
        for speaker in self.speakers:
            bfd = "bfd on; " if self.bfd else ""
            lines.append(
                f"protocol bgp speaker{speaker.number} {{ {bfd}"
                f"local {speaker.peer_address} as {SYSTEM}; "
                f"neighbor {speaker.address} as {speaker.system}; "
                "hold time 9; keepalive time 3; connect delay time 1; connect retry time 5; "
                f"error wait time 1, 5; {self.SESSION}"
                f"ipv4 {{ import {self.IMPORT}; export {self.EXPORT}; next hop self; }}; }}"
            )
        return self.write("bird.conf", "\n".join(lines) + "\n")

    def control(self, *words):
        """What BIRD answers to a command."""
        return self.call("birdc", "-s", self.folder / "bird.ctl", *words)

    def announce(self, network):
        """Announces a network of its own."""
        self.control("enable", f"own{NETWORKS.index(network)}")

    def withdraw(self, network):
        """Withdraws a network of its own."""
        self.control("disable", f"own{NETWORKS.index(network)}")

    def shown(self):
        """The routes from speakers: prefix to communities, as 16 digits each."""
        routes = {}
        network = None
        for line in self.control("show", "route", "all").splitlines():
            words = line.split()
            if words and "/" in words[0]:
                network = words[0]
            if "[speaker" in line:
                routes[network] = []
            elif words and words[0] == "BGP.ext_community:" and network in routes:
                for kind, where, value in re.findall(r"\(unknown (\w+), ([\d.]+), (\d+)\)", line):
                    octets = int(kind, 16).to_bytes(2, "big")
                    if "." in where:
                        octets += ipaddress.ip_address(where).packed
                    else:
                        octets += int(where).to_bytes(2, "big")
                    octets += int(value).to_bytes(8 - len(octets), "big")
                    routes[network].append(octets.hex())
        return routes

    def refresh(self, speaker):
        """Asks a speaker for its routes again."""
        self.control("reload", "in", f"speaker{speaker.number}")

    def is_up(self, speaker):
        """Whether it says that the session is up."""
        return "Established" in self.control("show", "protocols", f"speaker{speaker.number}")

    def has_bfd(self, speaker):
        """Whether it says that the BFD session is up."""
        lines = self.control("show", "bfd", "sessions").splitlines()
        return any(line.split()[:1] == [speaker.address] and " Up " in line for line in lines)


class Frr(Daemon):
    """FRR's bgpd, and zebra for next hops. Its own routes have a link bandwidth of 20 Gbit/s.

    Of link bandwidths it shows AS and value, but no type, and of values only the lower 32 bits; of
    communities that it does not know only the type.
    """

    PROGRAMS = ("zebra", "bgpd", "vtysh", "bfdd")
    BFD_PROGRAM = "bfdd"
    BFD_CEASE = "(6/10)"
    SHOWN = {1: ["1, 6", "65, 6"], 2: [octets[4:] for octets in WRITTEN[2]]}
    MEGABITS = 20000
    COMMUNITIES = [link_bandwidth(0x0004, SYSTEM, MEGABITS / 8 * 1e6)]
    LEARNED = {1: COMMUNITIES, 2: COMMUNITIES}
    WEIGHTS = {1: 0, 2: rounded(MEGABITS / 8 * 1e6)}
    GROUP = "frrvty"
    SETTINGS = ()  # more of them, of BGP

    def start(self):
        """Starts the daemons, with the own routes that are announced."""
        self.provide_group()
        self.write_config()
        for name in ("zebra", *(["bfdd"] if self.bfd else []), "bgpd"):
            self.start_program(name)

    def start_program(self, name):
        """Starts one of the daemons."""
        more = {"bfdd": ("--bfdctl", self.folder / "bfdd.sock")}
        self.spawn(
            name,
            *more.get(name, ()),
            *("-u", "root", "-g", "root", "-P", "0"),
            *("-f", self.folder / f"{name}.conf", "-i", self.folder / f"{name}.pid"),
            *("-z", self.folder / "zserv.api", "--vty_socket", self.folder),
        )
        wait_for(f"{name}'s socket", (self.folder / f"{name}.vty").exists)

    def write_config(self):
        """Writes the configurations."""
        lines = [
            "log stdout",
            "route-map own permit 10",
            f" set extcommunity bandwidth {self.MEGABITS}",
            f"router bgp {SYSTEM}",
            f" bgp router-id {ROUTER_ID}",
            " no bgp ebgp-requires-policy",
            " no bgp network import-check",
            " bgp bestpath as-path multipath-relax",
            " timers bgp 3 9",
            *self.SETTINGS,
        ]
        for speaker in self.speakers:
            lines += [
                f" neighbor {speaker.address} remote-as {speaker.system}",
                f" neighbor {speaker.address} timers connect 5",
                f" neighbor {speaker.address} advertisement-interval 0",
            ]
            if self.bfd:
                lines += [f" neighbor {speaker.address} bfd profile fast"]
        lines.append(" address-family ipv4 unicast")
        lines += [f"  network {network} route-map own" for network in sorted(self.announced)]
        lines.append(" exit-address-family")
        self.write("zebra.conf", "log stdout\n")
        self.write("bgpd.conf", "\n".join(lines) + "\n")
        self.write("vtysh.conf", "username root nopassword\n")
        times = f"transmit-interval {self.bfd}\n  receive-interval {self.bfd}"
        self.write("bfdd.conf", f"log stdout\nbfd\n profile fast\n  {times}\n")

    def provide_group(self):
        """Has a group that the daemons ask for, for this process and its children."""
        try:
            grp.getgrnam(self.GROUP)
        except KeyError:
            text = pathlib.Path("/etc/group").read_text()
            path = self.write("group", f"{text}{self.GROUP}:x:{os.getgid()}:\n")
            self.lab.run("mount", "--bind", path, "/etc/group")

    def control(self, *commands, program="bgpd"):
        """What FRR answers to commands."""
        words = [word for command in commands for word in ("-c", command)]
        folder = ("--vty_socket", self.folder, "--config_dir", self.folder)
        return self.call("vtysh", *folder, "-d", program, *words)

    def configure(self, command):
        """Gives a command of the address family."""
        family = "address-family ipv4 unicast"
        self.control("configure terminal", f"router bgp {SYSTEM}", family, command)

    def announce(self, network):
        """Announces a network of its own."""
        self.configure(f"network {network} route-map own")

    def withdraw(self, network):
        """Withdraws a network of its own."""
        self.configure(f"no network {network} route-map own")

    def shown(self):
        """The routes from speakers: prefix to octets of communities behind the type, or types."""
        routes = {}
        peers = {speaker.address for speaker in self.speakers}
        table = json.loads(self.control("show bgp ipv4 unicast json detail"))["routes"]
        for network, paths in table.items():
            for path in paths:
                if path.get("peer", {}).get("peerId") not in peers:
                    continue
                text = path.get("extendedCommunity", {}).get("string", "")
                routes[network] = [
                    link_bandwidth(0, int(system), float(bandwidth))[4:]
                    for system, bandwidth in re.findall(r"LB:(\d+):(\d+)", text)
                ]
                routes[network] += re.findall(r"UNK:(\d+, \d+)", text)
        return routes

    def refresh(self, speaker):
        """Asks a speaker for its routes again."""
        self.control(f"clear bgp ipv4 unicast {speaker.address} soft in")

    def is_up(self, speaker):
        """Whether it says that the session is up."""
        peers = json.loads(self.control("show bgp ipv4 unicast summary json"))["peers"]
        return peers[speaker.address]["state"] == "Established"

    def has_bfd(self, speaker):
        """Whether it says that the BFD session is up."""
        peers = json.loads(self.control("show bfd peers json", program="bfdd"))
        return any(peer["peer"] == speaker.address and peer["status"] == "up" for peer in peers)

    def set_bfd(self, is_up):
        """Takes BFD down administratively, or lets it come up."""
        command = "no shutdown" if is_up else "shutdown"
        self.control("configure terminal", "bfd", "profile fast", command, program="bfdd")


class GoBgp(Daemon):
    """GoBGP. Its own routes have a link bandwidth that is not transitive; it sends it nevertheless.

    It makes all link bandwidths not transitive. Speakers take these only if they are their carrier.
    It keeps what it has been told, and never asks for it again.
    """

    PROGRAMS = ("gobgpd", "gobgp")
    SHOWN = {1: WRITTEN[1], 2: ["4004fdf54f1502f9", WRITTEN[2][1]]}
    PASSED_ON = SHOWN
    ASKS_FOR_ROUTES = False
    BANDWIDTH = 2500000000
    COMMUNITIES = [link_bandwidth(0x4004, SYSTEM, BANDWIDTH)]
    LEARNED = {1: COMMUNITIES, 2: COMMUNITIES}
    WEIGHTS = {1: 0, 2: rounded(BANDWIDTH)}
    CONFIG = f"""
[global.config]
as = {SYSTEM}
router-id = "{ROUTER_ID}"
[global.apply-policy.config]
import-policy-list = ["own"]
default-import-policy = "accept-route"
default-export-policy = "accept-route"
[[defined-sets.prefix-sets]]
prefix-set-name = "own"
[[defined-sets.prefix-sets.prefix-list]]
ip-prefix = "203.0.113.0/24"
masklength-range = "28..28"
[[policy-definitions]]
name = "own"
[[policy-definitions.statements]]
name = "own"
[policy-definitions.statements.conditions.match-prefix-set]
prefix-set = "own"
[policy-definitions.statements.actions]
route-disposition = "accept-route"
[policy-definitions.statements.actions.bgp-actions.set-ext-community]
options = "add"
[policy-definitions.statements.actions.bgp-actions.set-ext-community.set-ext-community-method]
communities-list = ["lb:{SYSTEM}:{BANDWIDTH}"]
"""
    NEIGHBOR = """
[[neighbors]]
[neighbors.config]
neighbor-address = "{address}"
peer-as = {system}
[neighbors.timers.config]
hold-time = 9
keepalive-interval = 3
connect-retry = 5
"""

    def start(self):
        """Starts the daemon, without own routes."""
        neighbors = [
            self.NEIGHBOR.format(address=speaker.address, system=speaker.system)
            for speaker in self.speakers
        ]
        config = self.write("gobgpd.toml", "".join([self.CONFIG, *neighbors]))
        self.spawn("gobgpd", "--log-plain", "--pprof-disable", "-f", config)
        wait_for("GoBGP's answer", self.answers)

    def answers(self):
        """Whether it answers."""
        try:
            return self.control("global")
        except AssertionError:
            return ""

    def control(self, *words):
        """What GoBGP answers to a command."""
        return self.call("gobgp", *words)

    def announce(self, network):
        """Announces a network of its own."""
        self.control("global", "rib", "add", "-a", "ipv4", network)

    def withdraw(self, network):
        """Withdraws a network of its own."""
        self.control("global", "rib", "del", "-a", "ipv4", network)

    def shown(self):
        """The routes from speakers: prefix to communities, as 16 digits each."""
        routes = {}
        for network, paths in json.loads(self.control("global", "rib", "-j")).items():
            for path in paths:
                attributes = {attribute["type"]: attribute for attribute in path["attrs"]}
                if 2 in attributes and attributes[2].get("as_paths"):
                    communities = attributes.get(16, {}).get("value", [])
                    routes[network] = [self.octets(community) for community in communities]
        return routes

    @staticmethod
    def octets(community):
        """A community as 16 digits, from what is shown."""
        kind = bytes([community["type"], community["subtype"]])
        if "bandwidth" in community:
            return (kind + struct.pack(">Hf", community["asn"], community["bandwidth"])).hex()
        where, value = community["value"].split(":")
        if "." in where:
            return (kind + ipaddress.ip_address(where).packed + struct.pack(">H", int(value))).hex()
        return (kind + struct.pack(">HI", int(where), int(value))).hex()

    def is_up(self, speaker):
        """Whether it says that the session is up."""
        state = json.loads(self.control("neighbor", speaker.address, "-j"))["state"]
        return state["session_state"] == 6


DAEMONS = {"bird": Bird, "frr": Frr, "gobgp": GoBgp}
