# SPDX-License-Identifier: GPL-2.0-only
"""Chakra traces as bytes (.et): messages of Protocol Buffers, each with its length."""


def varint(number):
    """A number of Protocol Buffers."""
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    """A field of Protocol Buffers: a number, bytes, or a text."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    """An attribute of a node, of type int64; of type bool for is_cpu_op."""
    return field(10, field(1, name) + field(27 if name == "is_cpu_op" else 9, value))


def message(content):
    """A message of a trace, with its length."""
    return varint(len(content)) + content


def encode(nodes):
    """A trace .et of nodes as Chakra's feeder has them in JSON."""
    out = message(field(1, "0.0.4"))
    for node in nodes:
        content = field(1, node["Id"]) + field(2, node["Name"]) + field(3, node["NodeType"])
        content += b"".join(field(5, other) for other in node["data_deps"])
        content += field(7, node.get("runtime", 0)) + attribute("is_cpu_op", 0)
        for key, value in node.items():
            content += attribute(key, value) if key.startswith("comm_") else b""
        out += message(content)
    return out
