-- packed.lua: inputs in seven bytes, as test-captures/projects/ownbytes4/player.gd packs them; to copy from.
--
--     tshark -X lua_script:packed.lua -o godot.project:GAME -r game.pcapng -Y input
--
-- SPDX-License-Identifier: GPL-2.0-or-later

-- IEEE 754 binary16, as StreamPeer.put_half() and encode_half() write it; `number`: its 16 bits, as le_uint().
local function half(number)
    local sign, exponent, fraction = number >= 0x8000 and -1 or 1, math.floor(number / 1024) % 32, number % 1024
    if exponent == 0 then
        return sign * fraction * 2 ^ -24
    elseif exponent == 31 then
        return fraction == 0 and sign * math.huge or 0 / 0
    end
    return sign * (1 + fraction / 1024) * 2 ^ (exponent - 15)
end

-- A whole number from 0 to `most` that stands for low … high.
local function quantized(number, most, low, high)
    return low + number / most * (high - low)
end

-- `count` bits of a number from bit `first` on, 0 the lowest.
local function bits(number, first, count)
    return math.floor(math.floor(number / 2 ^ first) % 2 ^ count)
end

-- The same below zero: two's complement.
local function signed_bits(number, first, count)
    local found = bits(number, first, count)
    return found < 2 ^ (count - 1) and found or math.floor(found - 2 ^ count)
end

local input = Proto("input", "Player Input")
local fields = {
    tick = ProtoField.uint16("input.tick", "Tick"),
    jump = ProtoField.uint8("input.jump", "Jump"),
    weapon = ProtoField.uint8("input.weapon", "Weapon"),
    aim = ProtoField.double("input.aim", "Aim"),
    x = ProtoField.double("input.x", "X"),
}
input.fields = fields

function input.dissector(data, pinfo, tree)
    local item, byte = tree:add(input, data()), data(2, 1):uint()
    item:add_le(fields.tick, data(0, 2))
    item:add(fields.jump, data(2, 1), bits(byte, 0, 1))
    item:add(fields.weapon, data(2, 1), bits(byte, 1, 3))
    item:add(fields.aim, data(3, 2), half(data(3, 2):le_uint()))
    item:add(fields.x, data(5, 2), quantized(data(5, 2):le_uint(), 65535, -100, 100))
    pinfo.cols.info = ("input %d%s"):format(data(0, 2):le_uint(), bits(byte, 0, 1) == 1 and " jump" or "")
    return data:len()
end

-- Where these bytes stand; in packets of send_bytes() nothing says what they are, so their length has to do.
DissectorTable.get("godot.method"):add("submit_input", input)
DissectorTable.get("godot.method"):add("player.submit_input_of:1", input)
DissectorTable.get("godot.property"):add("Main/Player/Synchronizer.packed", input)
DissectorTable.get("godot.auth"):add("*", input)
DissectorTable.get("godot.spawn"):add("Main/Spawner", input)
input:register_heuristic("godot.raw", function(data, pinfo, tree)
    return data:len() == 7 and input.dissector(data, pinfo, tree) > 0
end)
