// SPDX-License-Identifier: GPL-2.0-only

#include "chakra-trace.h"

#include "../require-argument.h"
#include "text-reader.h"

#include <utility>

namespace ns3::aidc
{

namespace
{

/// A field of a message of Protocol Buffers.
struct ProtobufField
{
    /// How the value is encoded.
    enum Type : uint8_t
    {
        VARINT = 0,  //!< a number of variable length
        FIXED64 = 1, //!< eight bytes
        BYTES = 2,   //!< bytes after their length
        FIXED32 = 5  //!< four bytes
    };

    uint32_t number{0};           //!< the number of the field
    Type type{VARINT};            //!< how the value is encoded
    uint64_t value{0};            //!< the value of a number
    const uint8_t* data{nullptr}; //!< where bytes begin
    std::size_t size{0};          //!< how many bytes

    std::string GetText() const
    {
        return {data, data + size};
    }
};

/// What is wrong with a number whose last bytes are missing.
constexpr char CUT_OFF[] = "expected a number, found the end";

/// Reads the wire format of any message of Protocol Buffers.
class ProtobufReader
{
  public:
    /// data: the bytes, which outlive the reader; size: how many.
    ProtobufReader(const uint8_t* data, std::size_t size)
        : m_data(data),
          m_size(size)
    {
    }

    bool IsAtEnd() const
    {
        return m_next == m_size;
    }

    std::size_t GetPosition() const
    {
        return m_next;
    }

    /// @throws std::invalid_argument if there is none, or its encoding is wrong
    ProtobufField ReadField()
    {
        const uint64_t key = ReadVarint();
        ProtobufField field;
        switch (key & 7)
        {
        case ProtobufField::VARINT:
            field.value = ReadVarint();
            break;
        case ProtobufField::FIXED64:
            field.value = ReadFixed(8);
            break;
        case ProtobufField::BYTES:
            field = ReadBytes();
            break;
        case ProtobufField::FIXED32:
            field.value = ReadFixed(4);
            break;
        default:
            throw std::invalid_argument(
                "expected a field of type 0, 1, 2 or 5, found one of type " +
                std::to_string(key & 7));
        }
        if (key >> 3 == 0 || key >> 32 != 0)
        {
            throw std::invalid_argument("expected a field of number 1 to 536870911, found number " +
                                        std::to_string(key >> 3));
        }
        field.number = static_cast<uint32_t>(key >> 3);
        field.type = static_cast<ProtobufField::Type>(key & 7);
        return field;
    }

    /// @throws std::invalid_argument if a number is cut off or has more than 64 bits
    uint64_t ReadVarint()
    {
        uint64_t value = 0;
        for (uint32_t shift = 0;; shift += 7)
        {
            AIDC_REQUIRE(m_next < m_size, CUT_OFF);
            const uint8_t byte = m_data[m_next++];
            AIDC_REQUIRE(shift < 63 || byte <= 1, // of which one bit is left
                         "expected a number of at most 64 bits, found more");
            value |= uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80)
            {
                return value;
            }
        }
    }

    /// Read bytes that follow their length. @throws std::invalid_argument if they are cut off
    ProtobufField ReadBytes()
    {
        ProtobufField field;
        field.type = ProtobufField::BYTES;
        const uint64_t size = ReadVarint();
        if (size > m_size - m_next)
        {
            throw std::invalid_argument("expected " + std::to_string(size) + " bytes, found " +
                                        std::to_string(m_size - m_next));
        }
        field.data = m_data + m_next;
        field.size = static_cast<std::size_t>(size);
        m_next += field.size;
        return field;
    }

  private:
    /// Read a number of fixed length, lowest byte first.
    uint64_t ReadFixed(std::size_t nBytes)
    {
        AIDC_REQUIRE(m_size - m_next >= nBytes, CUT_OFF);
        uint64_t value = 0;
        for (std::size_t i = 0; i < nBytes; ++i)
        {
            value |= uint64_t{m_data[m_next++]} << 8 * i;
        }
        return value;
    }

    const uint8_t* m_data; //!< the bytes
    std::size_t m_size;    //!< how many
    std::size_t m_next{0}; //!< the next one
};

/// Require that a field is encoded as its meaning demands. type: how it must be encoded.
void
RequireType(const ProtobufField& field, ProtobufField::Type type, const std::string& name)
{
    if (field.type != type)
    {
        throw std::invalid_argument("expected a field \"" + name + "\" of wire type " +
                                    std::to_string(type) + ", found wire type " +
                                    std::to_string(field.type));
    }
}

/// Read one number, or several that are packed, into a list.
void
ReadNumbers(const ProtobufField& field, std::vector<uint64_t>& numbers, const std::string& name)
{
    if (field.type == ProtobufField::VARINT)
    {
        numbers.push_back(field.value);
        return;
    }
    RequireType(field, ProtobufField::BYTES, name);
    ProtobufReader reader(field.data, field.size);
    while (!reader.IsAtEnd())
    {
        numbers.push_back(reader.ReadVarint());
    }
}

/// An attribute of a node.
struct Attribute
{
    std::string name;                           //!< its name
    std::optional<int64_t> integer;             //!< its value, if it is a whole number of any kind
    bool isTooLarge{false};                     //!< whether the number has more than 63 bits
    std::optional<std::string> text;            //!< its value, if it is a text
    std::optional<std::vector<uint64_t>> flags; //!< its value, if it is a list of bool
};

/// Read the value of an attribute, if it is a whole number, a text or a list of bool.
void
ReadValue(const ProtobufField& field, Attribute& attribute)
{
    using Field = ProtobufField;
    // Without numbers with fractions, other lists, and what there may be one day
    static const std::map<uint32_t, Field::Type> TYPES = {{7, Field::VARINT},   // int32
                                                          {9, Field::VARINT},   // int64
                                                          {11, Field::VARINT},  // uint32
                                                          {13, Field::VARINT},  // uint64
                                                          {15, Field::VARINT},  // sint32
                                                          {17, Field::VARINT},  // sint64
                                                          {19, Field::FIXED32}, // fixed32
                                                          {21, Field::FIXED64}, // fixed64
                                                          {23, Field::FIXED32}, // sfixed32
                                                          {25, Field::FIXED64}, // sfixed64
                                                          {27, Field::VARINT},  // bool
                                                          {28, Field::BYTES},   // a list of bool
                                                          {29, Field::BYTES},   // string
                                                          {31, Field::BYTES}};  // bytes
    const auto type = TYPES.find(field.number);
    if (type == TYPES.end())
    {
        return;
    }
    RequireType(field, type->second, "attr");
    switch (field.number)
    {
    case 15:
    case 17:
        attribute.integer = static_cast<int64_t>(field.value >> 1 ^ (~(field.value & 1) + 1));
        break;
    case 23:
        attribute.integer = static_cast<int32_t>(static_cast<uint32_t>(field.value));
        break;
    case 28: {
        attribute.flags.emplace();
        ProtobufReader list(field.data, field.size);
        while (!list.IsAtEnd())
        {
            if (const Field values = list.ReadField(); values.number == 1)
            {
                ReadNumbers(values, *attribute.flags, "attr");
            }
        }
        break;
    }
    case 29:
    case 31:
        attribute.text = field.GetText();
        break;
    case 11:
    case 13:
    case 21:
    case 27:
        attribute.isTooLarge = field.value >> 63 != 0;
        [[fallthrough]];
    default:
        attribute.integer = static_cast<int64_t>(field.value);
        break;
    }
}

/// Set the process group of a node, which may be told twice.
void
SetGroup(const std::string& group, ChakraNode& node)
{
    if (!node.group.empty() && node.group != group)
    {
        throw std::invalid_argument("expected one process group, found \"" +
                                    GetPrintableName(node.group) + "\" and \"" +
                                    GetPrintableName(group) + "\" as pg_name and comm_group");
    }
    node.group = group;
}

/// node: where it goes, if it is known.
void
ReadAttribute(const ProtobufField& field, ChakraNode& node)
{
    Attribute attribute;
    ProtobufReader reader(field.data, field.size);
    while (!reader.IsAtEnd())
    {
        const ProtobufField part = reader.ReadField();
        if (part.number == 1)
        {
            RequireType(part, ProtobufField::BYTES, "attr.name");
            attribute.name = part.GetText();
        }
        else
        {
            ReadValue(part, attribute);
        }
    }
    const std::map<std::string, std::optional<int64_t>*> integers = {
        {"is_cpu_op", &node.isCpuOperation},
        {"num_ops", &node.nOperations},
        {"tensor_size", &node.tensorSize},
        {"comm_type", &node.communicationType},
        {"comm_size", &node.communicationSize},
        {"comm_src", &node.source},
        {"comm_dst", &node.destination},
        {"comm_tag", &node.tag},
        {"comm_priority", &node.priority}};
    const auto found = integers.find(attribute.name);
    if (found != integers.end())
    {
        if (!attribute.integer || attribute.isTooLarge)
        {
            throw std::invalid_argument("expected a whole number below 2^63 as attribute \"" +
                                        attribute.name + "\"");
        }
        *found->second = attribute.integer;
    }
    else if (attribute.name == "pg_name" || attribute.name == "comm_group")
    {
        if (!attribute.text && !attribute.integer)
        {
            throw std::invalid_argument("expected a text or a whole number as attribute \"" +
                                        attribute.name + "\"");
        }
        SetGroup(attribute.text ? *attribute.text : std::to_string(*attribute.integer), node);
    }
    else if (attribute.name == "involved_dim")
    {
        AIDC_REQUIRE(attribute.flags.has_value(),
                     "expected a list of bool as attribute \"involved_dim\"");
        node.dimensions.assign(attribute.flags->begin(), attribute.flags->end());
    }
}

/// Read the values of a node's inputs, which tell process groups.
void
ReadInputs(const ProtobufField& field, ChakraNode& node)
{
    ProtobufReader reader(field.data, field.size);
    while (!reader.IsAtEnd())
    {
        if (const ProtobufField part = reader.ReadField(); part.number == 1)
        {
            RequireType(part, ProtobufField::BYTES, "inputs.values");
            node.inputs = part.GetText();
        }
    }
}

void
ReadNodeField(const ProtobufField& field, ChakraNode& node)
{
    switch (field.number)
    {
    case 1:
        RequireType(field, ProtobufField::VARINT, "id");
        node.id = field.value;
        break;
    case 2:
        RequireType(field, ProtobufField::BYTES, "name");
        node.name = field.GetText();
        break;
    case 3:
        RequireType(field, ProtobufField::VARINT, "type");
        node.type = static_cast<ChakraNodeType>(field.value);
        break;
    case 4:
        ReadNumbers(field, node.controlDependencies, "deps");
        break;
    case 5:
        ReadNumbers(field, node.dataDependencies, "deps");
        break;
    case 7:
        RequireType(field, ProtobufField::VARINT, "duration_micros");
        node.durationMicros = field.value;
        break;
    case 8:
        RequireType(field, ProtobufField::BYTES, "inputs");
        ReadInputs(field, node);
        break;
    case 10:
        RequireType(field, ProtobufField::BYTES, "attr");
        ReadAttribute(field, node);
        break;
    default: // its start, outputs, and what there may be one day
        break;
    }
}

std::string
ReadMetadata(const ProtobufField& message)
{
    static constexpr char OLD[] =
        "expected GlobalMetadata first, found none, as in version 0.0.3 and before, which mean "
        "other things by the same fields: convert the trace to 0.0.4";
    std::string version;
    ProtobufReader reader(message.data, message.size);
    while (!reader.IsAtEnd())
    {
        const ProtobufField field = reader.ReadField();
        // A node has an id, a type and dependencies, of which GlobalMetadata has no field
        AIDC_REQUIRE(field.number > 11 || (field.number <= 2 && field.type == ProtobufField::BYTES),
                     OLD);
        if (field.number == 1)
        {
            version = field.GetText();
        }
    }
    AIDC_REQUIRE(version != "0.0.1" && version != "0.0.2" && version != "0.0.3",
                 "expected version 0.0.4, found " + version + ": convert the trace");
    return version;
}

} // namespace

std::string
DescribeChakraNode(const ChakraNode& node)
{
    return "node " + std::to_string(node.id) + " (" + GetPrintableName(node.name) + ")";
}

ChakraError::ChakraError(uint32_t rank, const ChakraNode& node, const std::string& what)
    : std::invalid_argument(DescribeChakraNode(node) + " " + what),
      m_rank(rank)
{
}

uint64_t
GetChakraAttribute(uint32_t rank,
                   const ChakraNode& node,
                   const std::optional<int64_t>& value,
                   const std::string& name,
                   uint64_t max)
{
    if (!value)
    {
        throw ChakraError(rank, node, "has no " + name);
    }
    if (*value < 0 || static_cast<uint64_t>(*value) > max)
    {
        throw ChakraError(rank,
                          node,
                          "has the " + name + " " + std::to_string(*value) + ", not from 0 to " +
                              std::to_string(max));
    }
    return static_cast<uint64_t>(*value);
}

ChakraTrace
DecodeChakraTrace(const uint8_t* data, std::size_t size)
{
    AIDC_REQUIRE(size < 2 || data[0] != 0x1f || data[1] != 0x8b, "gzip-compressed bytes");
    ChakraTrace trace;
    ProtobufReader reader(data, size);
    bool hasMetadata = false;
    while (!reader.IsAtEnd() || !hasMetadata)
    {
        const std::size_t position = reader.GetPosition();
        ChakraNode node;
        try
        {
            const ProtobufField message = reader.ReadBytes();
            if (!hasMetadata)
            {
                trace.version = ReadMetadata(message);
                hasMetadata = true;
                continue;
            }
            ProtobufReader fields(message.data, message.size);
            while (!fields.IsAtEnd())
            {
                ReadNodeField(fields.ReadField(), node);
            }
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument(
                (node.id != 0 || !node.name.empty() ? DescribeChakraNode(node) + ", " : "") +
                "message at byte " + std::to_string(position) + ": " + error.what());
        }
        if (node.type != ChakraNodeType::METADATA)
        {
            node.inputs = std::string(); // shapes of tensors and the like
        }
        trace.nodes.push_back(std::move(node));
    }
    return trace;
}

} // namespace ns3::aidc
