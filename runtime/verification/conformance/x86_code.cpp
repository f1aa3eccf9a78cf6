// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/x86_code.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace halyard::verification {
namespace {

constexpr std::size_t kLongest = 15;

// Opcodes of the first map that have no ModRM byte, as ranges.
struct OpcodeRange {
  std::uint8_t first;
  std::uint8_t last;
};
constexpr std::array kWithoutModrm = {
    OpcodeRange{0x04, 0x05}, OpcodeRange{0x0c, 0x0d}, OpcodeRange{0x14, 0x15},
    OpcodeRange{0x1c, 0x1d}, OpcodeRange{0x24, 0x25}, OpcodeRange{0x2c, 0x2d},
    OpcodeRange{0x34, 0x35}, OpcodeRange{0x3c, 0x3d}, OpcodeRange{0x50, 0x5f},
    OpcodeRange{0x68, 0x68}, OpcodeRange{0x6a, 0x6a}, OpcodeRange{0x6c, 0x7f},
    OpcodeRange{0x90, 0x99}, OpcodeRange{0x9b, 0xbf}, OpcodeRange{0xc2, 0xc3},
    OpcodeRange{0xc8, 0xcf}, OpcodeRange{0xd7, 0xd7}, OpcodeRange{0xe0, 0xef},
    OpcodeRange{0xf0, 0xf5}, OpcodeRange{0xf8, 0xfd},
};
// What 64-bit code has not.
constexpr std::array kInvalid = {
    OpcodeRange{0x06, 0x07}, OpcodeRange{0x0e, 0x0e}, OpcodeRange{0x16, 0x17},
    OpcodeRange{0x1e, 0x1f}, OpcodeRange{0x27, 0x27}, OpcodeRange{0x2f, 0x2f},
    OpcodeRange{0x37, 0x37}, OpcodeRange{0x3f, 0x3f}, OpcodeRange{0x60, 0x61},
    OpcodeRange{0x82, 0x82}, OpcodeRange{0x9a, 0x9a}, OpcodeRange{0xce, 0xce},
    OpcodeRange{0xd4, 0xd6}, OpcodeRange{0xea, 0xea},
};
// Opcodes of the second map (0F) that have no ModRM byte.
constexpr std::array kWithoutModrm0f = {
    OpcodeRange{0x05, 0x0b}, OpcodeRange{0x0e, 0x0e}, OpcodeRange{0x30, 0x37},
    OpcodeRange{0x77, 0x77}, OpcodeRange{0x80, 0x8f}, OpcodeRange{0xa0, 0xa2},
    OpcodeRange{0xa8, 0xaa}, OpcodeRange{0xc8, 0xcf},
};

template <std::size_t N>
bool is_in(const std::array<OpcodeRange, N>& ranges, std::uint8_t opcode) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const OpcodeRange& range) {
    return opcode >= range.first && opcode <= range.last;
  });
}

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes.substr(0, kLongest)) {}

  std::optional<X86Instruction> decode() {
    read_prefixes();
    if (!read_opcode()) return std::nullopt;
    const std::size_t immediate = immediate_bytes();
    if (is_cut_ || bytes_.size() - at_ < immediate) return std::nullopt;
    find_flow(immediate);
    at_ += immediate;
    out_.forbidden = forbidden();
    out_.size_bytes = static_cast<std::uint32_t>(at_);
    return out_;
  }

 private:
  std::uint8_t next() {
    if (at_ == bytes_.size()) {
      is_cut_ = true;
      return 0;
    }
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  std::uint8_t peek() const {
    return at_ < bytes_.size() ? static_cast<std::uint8_t>(bytes_[at_]) : std::uint8_t{0};
  }

  void read_prefixes() {
    constexpr std::string_view kPrefixes("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", 11);
    while (at_ < bytes_.size() && kPrefixes.find(bytes_[at_]) != std::string_view::npos) {
      has_operand_size_ = has_operand_size_ || bytes_[at_] == 0x66;
      has_address_size_ = has_address_size_ || bytes_[at_] == 0x67;
      has_repeat_ = has_repeat_ || peek() == 0xf3;
      ++at_;
    }
    if ((peek() & 0xf0) == 0x40) is_wide_ = (next() & 8) != 0;
  }

  bool read_opcode() {
    opcode_ = next();
    if (opcode_ == 0xc5 || opcode_ == 0xc4 || opcode_ == 0x62) return read_vector_prefix();
    if (opcode_ == 0x0f) {
      map_ = 1;
      opcode_ = next();
      if (opcode_ == 0x38 || opcode_ == 0x3a) {
        map_ = opcode_ == 0x38 ? 2 : 3;
        opcode_ = next();
      }
    }
    if (map_ == 0 && is_in(kInvalid, opcode_)) return false;
    const bool without = (map_ == 0 && is_in(kWithoutModrm, opcode_)) ||
                         (map_ == 1 && is_in(kWithoutModrm0f, opcode_));
    if (!without) read_modrm();
    return !is_cut_;
  }

  bool read_vector_prefix() {
    is_vector_ = true;
    map_ = 1;
    if (opcode_ == 0xc5) {
      next();
    } else {
      map_ = next() & (opcode_ == 0xc4 ? 0x1f : 0x07);
      next();
      if (opcode_ == 0x62) next();
    }
    if (map_ == 0 || map_ == 4 || map_ > 6) return false;
    opcode_ = next();
    if (map_ != 1 || opcode_ != 0x77) read_modrm();
    return !is_cut_;
  }

  void read_modrm() {
    modrm_ = next();
    const unsigned mode = modrm_ >> 6;
    const unsigned rm = modrm_ & 7;
    if (mode == 3) return;
    std::size_t displacement = mode == 1 ? 1 : mode == 2 ? 4 : 0;
    if (rm == 4) {
      const unsigned base = next() & 7;
      if (mode == 0 && base == 5) displacement = 4;
    } else if (mode == 0 && rm == 5) {
      displacement = 4;
    }
    for (std::size_t i = 0; i < displacement; ++i)
      next();
  }

  std::size_t immediate_bytes() const {
    const std::size_t word = has_operand_size_ && !is_wide_ ? 2 : 4;
    if (map_ == 3) return 1;
    if (map_ == 2 || map_ > 3) return 0;
    if (map_ == 1) {
      if (opcode_ >= 0x80 && opcode_ <= 0x8f && !is_vector_) return 4;
      constexpr std::string_view kByte("\x70\x71\x72\x73\xa4\xac\xba\xc2\xc4\xc5\xc6", 11);
      return kByte.find(static_cast<char>(opcode_)) != std::string_view::npos ? 1 : 0;
    }
    if (opcode_ < 0x40) return (opcode_ & 7) == 4 ? 1 : (opcode_ & 7) == 5 ? word : 0;
    if (opcode_ >= 0x70 && opcode_ <= 0x7f) return 1;
    if (opcode_ >= 0xb0 && opcode_ <= 0xb7) return 1;
    if (opcode_ >= 0xb8 && opcode_ <= 0xbf) return is_wide_ ? 8 : word;
    if (opcode_ >= 0xa0 && opcode_ <= 0xa3) return has_address_size_ ? 4 : 8;
    switch (opcode_) {
      case 0x68:
      case 0x69:
      case 0x81:
      case 0xa9:
      case 0xc7:
        return word;
      case 0xe8:
      case 0xe9:
        return 4;
      case 0x6a:
      case 0x6b:
      case 0x80:
      case 0x83:
      case 0xa8:
      case 0xc0:
      case 0xc1:
      case 0xc6:
      case 0xcd:
      case 0xe0:
      case 0xe1:
      case 0xe2:
      case 0xe3:
      case 0xe4:
      case 0xe5:
      case 0xe6:
      case 0xe7:
      case 0xeb:
        return 1;
      case 0xc2:
      case 0xca:
        return 2;
      case 0xc8:
        return 3;
      case 0xf6:
        return (modrm_ >> 3 & 7) < 2 ? 1 : 0;
      case 0xf7:
        return (modrm_ >> 3 & 7) < 2 ? word : 0;
      default:
        return 0;
    }
  }

  void find_flow(std::size_t immediate) {
    if (is_vector_) return;
    const unsigned group = modrm_ >> 3 & 7;
    if (map_ == 0) {
      const bool is_short = (opcode_ >= 0x70 && opcode_ <= 0x7f) || opcode_ == 0xeb ||
                            (opcode_ >= 0xe0 && opcode_ <= 0xe3);
      const bool is_near = opcode_ == 0xe8 || opcode_ == 0xe9;
      const bool is_indirect = opcode_ == 0xff && (group == 2 || group == 4);
      out_.is_branch = is_short || is_near || is_indirect;
      if (is_short || is_near) out_.distance = signed_immediate(immediate);
      out_.is_end = opcode_ == 0xeb || opcode_ == 0xe9 || opcode_ == 0xc3 || opcode_ == 0xc2 ||
                    opcode_ == 0xcc || (opcode_ == 0xff && group == 4);
    } else if (map_ == 1) {
      out_.is_branch = opcode_ >= 0x80 && opcode_ <= 0x8f;
      if (out_.is_branch) out_.distance = signed_immediate(immediate);
      out_.is_end = opcode_ == 0x0b || opcode_ == 0xb9;
    }
  }

  std::int64_t signed_immediate(std::size_t size) const {
    if (size == 1) return static_cast<signed char>(bytes_[at_]);
    std::int32_t value = 0;
    std::memcpy(&value, bytes_.data() + at_, sizeof(value));
    return value;
  }

  std::string_view forbidden() const {
    const unsigned group = modrm_ >> 3 & 7;
    if (is_vector_) return map_ == 1 && opcode_ == 0xae && group == 2 ? "vldmxcsr" : "";
    if (map_ == 1) return forbidden_0f();
    if (map_ != 0) return "";
    if (opcode_ == 0xfd) return "std";
    if (opcode_ == 0x9d) return "popf";
    if (opcode_ >= 0xd8 && opcode_ <= 0xdf) return forbidden_x87();
    if (opcode_ == 0xcd || opcode_ == 0xf1) return "int";
    if (opcode_ == 0xf4) return "hlt";
    if (opcode_ == 0xcf) return "iret";
    if (opcode_ == 0xca || opcode_ == 0xcb) return "retf";
    if (opcode_ >= 0x6c && opcode_ <= 0x6f) return "port input or output";
    if ((opcode_ >= 0xe4 && opcode_ <= 0xe7) || (opcode_ >= 0xec && opcode_ <= 0xef)) {
      return "port input or output";
    }
    if (opcode_ == 0xff && (group == 3 || group == 5)) return "a far jump";
    return "";
  }

  // What sets the control word, by which the thread rounds and traps from then on.
  std::string_view forbidden_x87() const {
    if (opcode_ == 0xdb && modrm_ == 0xe3) return "fninit";
    if (modrm_ >> 6 == 3) return "";
    const unsigned group = modrm_ >> 3 & 7;
    if (opcode_ == 0xd9 && group == 4) return "fldenv";
    if (opcode_ == 0xd9 && group == 5) return "fldcw";
    if (opcode_ == 0xdd && group == 4) return "frstor";
    return "";
  }

  std::string_view forbidden_0f() const {
    switch (opcode_) {
      case 0x05:
        return "syscall";
      case 0x34:
        return "sysenter";
      case 0x07:
      case 0x35:
        return "sysexit";
      case 0x01:
        return modrm_ == 0xef ? "wrpkru" : "";
      case 0x30:
        return "wrmsr";
      case 0xae:
        return forbidden_ae();
      default:
        return "";
    }
  }

  std::string_view forbidden_ae() const {
    const unsigned group = modrm_ >> 3 & 7;
    const bool is_memory = modrm_ >> 6 != 3;
    if (!is_memory) return has_repeat_ && (group == 2 || group == 3) ? "wrfsbase" : "";
    if (group == 1) return "fxrstor";
    if (group == 2) return "ldmxcsr";
    return group == 5 ? "xrstor" : "";
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool is_cut_ = false;
  bool has_operand_size_ = false;
  bool has_address_size_ = false;
  bool has_repeat_ = false;
  bool is_wide_ = false;
  bool is_vector_ = false;
  unsigned map_ = 0;
  std::uint8_t opcode_ = 0;
  std::uint8_t modrm_ = 0;
  X86Instruction out_;
};

}  // namespace

std::optional<X86Instruction> decode_x86(std::string_view bytes) {
  return Decoder(bytes).decode();
}

}  // namespace halyard::verification
