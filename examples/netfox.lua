-- netfox.lua: what the Godot add-on netfox (1.35 to 1.48) sends, for the plugin `godot`.
--
--     tshark -X lua_script:netfox.lua -o netfox.project:GAME -r game.pcapng -Y netfox
--
-- or in Wireshark's folder of personal Lua plugins. It decodes the commands of NetworkCommandServer, in remote
-- calls and in raw packets, RewindableAction, the tick-rate handshake, and the states and inputs of versions before
-- 1.40, which are remote calls of each synchronizer. Tried with games with 1.35.3, 1.39.0, 1.40.0, 1.43.6, 1.45.0
-- and 1.48.4. Without netfox.project the folder of godot.project is read.
--
-- SPDX-License-Identifier: GPL-2.0-or-later

-- What only the game's scripts say: the forms that set_schema() gives to properties, by "Node:property" or
-- ":property", as in the scripts: SCHEMAS[":velocity"] = "vec2f16". Forms are the names in NetworkSchemas
-- ("uint8", "sfrac16", "radians8", "vec3f32", …); of arrays and dictionaries write the forms in brackets:
-- "array_of(uint8)", "dictionary(string,float32)", with the form of the count (uint16) at the end if it is another.
local SCHEMAS = {}

-- Numbers of the commands. They are given in the order of the project's autoloads; these are the add-on's. In 1.38 and
-- 1.39, 0 are the identities, and the others have numbers that are higher by one.
local COMMANDS = {
    [0] = "ping", "pong", "request time", "set time", "full state", "diff state", "input", "full sync", "diff sync",
    "identities",
}

local netfox = Proto("netfox", "netfox")
local fields = {
    transport = ProtoField.string("netfox.transport", "Transport"),
    number = ProtoField.uint8("netfox.command.number", "Command Number", base.DEC),
    command = ProtoField.string("netfox.command", "Command"),
    tick = ProtoField.uint32("netfox.tick", "Tick", base.DEC),
    newest = ProtoField.uint32("netfox.newest_tick", "Newest Tick", base.DEC, nil, nil, "Of a command with inputs: its own tick"),
    lead = ProtoField.int32("netfox.lead", "Lead", base.DEC, nil, nil,
        "Ticks between an input's arrival and its own tick at the server; below 0: it is late"),
    lag = ProtoField.int32("netfox.lag", "Lag", base.DEC, nil, nil, "Ticks that a state is behind its receiver's newest input"),
    node = ProtoField.string("netfox.node", "Node"),
    id = ProtoField.uint32("netfox.node.id", "Number of the Node", base.DEC),
    reference = ProtoField.int32("netfox.reference_tick", "Reference Tick", base.DEC, nil, nil, "Of the state that the differences are from"),
    version = ProtoField.uint8("netfox.version", "Version of the Properties", base.DEC),
    tickrate = ProtoField.uint32("netfox.tickrate", "Ticks a Second", base.DEC),
    size = ProtoField.uint32("netfox.size", "Size of the Values", base.DEC),
    changed = ProtoField.bytes("netfox.changed", "Changed Properties"),
    property = ProtoField.string("netfox.property", "Property"),
    value = ProtoField.string("netfox.value", "Value"),
    component = ProtoField.double("netfox.value.number", "Component"),
    sample = ProtoField.uint32("netfox.sample", "Sample", base.DEC),
    time = ProtoField.double("netfox.time", "Seconds of the Server's Clock"),
    first = ProtoField.uint32("netfox.action.first", "First Tick", base.DEC),
    active = ProtoField.uint32("netfox.action.active", "Active Tick", base.DEC),
    data = ProtoField.bytes("netfox.data", "Data"),
}
netfox.fields = fields
local malformed = ProtoExpert.new("netfox.malformed", "Not a command of netfox as this script knows it", expert.group.MALFORMED,
    expert.severity.WARN)
netfox.experts = { malformed }
netfox.prefs.project = Pref.string("Project", "", "The folder of the game: names of properties are those of its scenes")
netfox.prefs.tickrate = Pref.uint("Tick rate", 30, "netfox/time/tickrate of the project, for the first two seconds")

local MAX_VALUES = 100 -- of a command that are shown: Wireshark allows 500 layers in a frame
local variant = Dissector.get("godot.variant.godot4")

-- --- forms of numbers: ready to copy ---------------------------------------------------------------------------

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

-- --- a reader: bytes of a tvb, one after the other ------------------------------------------------------------

local Reader = {}
Reader.__index = Reader

local function reader(tvb, at, stop)
    return setmetatable({ tvb = tvb, at = at or 0, stop = stop or tvb:len() }, Reader)
end

function Reader:left()
    return self.stop - self.at
end

function Reader:take(length)
    if length < 0 or length > self.stop - self.at then
        error("beyond the end", 0)
    end
    local range = length > 0 and self.tvb(self.at, length) or nil
    self.at = self.at + length
    return range
end

function Reader:uint(length)
    return self:take(length):le_uint()
end

-- 7 bits a byte, the lowest first; bit 7: more follow.
function Reader:varuint()
    local number, start = 0, self.at
    for place = 0, 9 do
        local byte = self:uint(1)
        number = number + byte % 128 * 128 ^ place
        if byte < 128 then
            return math.floor(number), self.tvb(start, self.at - start)
        end
    end
    error("a number of more than ten bytes", 0)
end

-- 7 flags a byte, the lowest first; bit 7: more follow. A list of the numbers of those that are set, from 1.
function Reader:flags()
    local set, count, start = {}, 0, self.at
    repeat
        local byte = self:uint(1)
        for place = 0, 6 do
            count = count + 1
            if bits(byte, place, 1) == 1 then
                set[#set + 1] = count
            end
        end
    until byte < 128
    return set, self.tvb(start, self.at - start)
end

-- UTF-8 with a NUL at the end.
function Reader:c_string()
    local start = self.at
    while self:uint(1) ~= 0 do end
    return self.tvb(start, self.at - start):stringz(ENC_UTF_8), self.tvb(start, self.at - start)
end

-- UTF-8 with its length before it, as put_utf8_string().
function Reader:string()
    local start, length = self.at, self:uint(4)
    local text = length > 0 and self:take(length):string(ENC_UTF_8) or ""
    return text, self.tvb(start, self.at - start)
end

-- An absolute path: a c_string or, up to 1.43, with its length before it, which has zeroes in its upper bytes. The
-- identities of 1.48.4 have the length, too.
function Reader:path()
    local with_length = self:left() >= 4 and self.tvb(self.at + 2, 2):le_uint() == 0
    local text, range = (with_length and self.string or self.c_string)(self)
    if text:sub(1, 1) ~= "/" then
        error("not a path", 0)
    end
    return (text:gsub("^/root/", "")), range
end

-- --- values with a schema --------------------------------------------------------------------------------------

-- Each form reads its numbers from a reader; what it returns is a list of numbers, or a text.
local FORMS = {}

local function scalar(name, read)
    FORMS[name] = function(r)
        return { read(r) }
    end
end

for size = 1, 4 do
    if size ~= 3 then
        local most = 256 ^ size - 1
        scalar("uint" .. 8 * size, function(r) return r:uint(size) end)
        scalar("int" .. 8 * size, function(r) return r:take(size):le_int() end)
        scalar("sfrac" .. 8 * size, function(r) return quantized(r:uint(size), most, -1, 1) end)
        scalar("ufrac" .. 8 * size, function(r) return quantized(r:uint(size), most, 0, 1) end)
        scalar("degrees" .. 8 * size, function(r) return quantized(r:uint(size), most, 0, 360) end)
        scalar("radians" .. 8 * size, function(r) return quantized(r:uint(size), most, 0, 2 * math.pi) end)
    end
end
scalar("uint64", function(r) return r:take(8):le_uint64():tonumber() end)
scalar("int64", function(r) return r:take(8):le_int64():tonumber() end)
scalar("varuint", function(r) return (r:varuint()) end)
scalar("float16", function(r) return half(r:uint(2)) end)
scalar("float32", function(r) return r:take(4):le_float() end)
scalar("float64", function(r) return r:take(8):le_float() end)
FORMS.bool8 = function(r) return r:uint(1) > 0 and "true" or "false" end
FORMS.string = function(r) return '"' .. r:string() .. '"' end
FORMS.c_string = function(r) return '"' .. r:c_string() .. '"' end
FORMS.variant = function(r)
    r:take(r:uint(4))
    return "…"
end

-- Vector3.octahedron_decode()
local function from_octahedron(u, v)
    local x, y = u * 2 - 1, v * 2 - 1
    local z = 1 - math.abs(x) - math.abs(y)
    local t = math.min(math.max(-z, 0), 1)
    x, y = x + (x >= 0 and -t or t), y + (y >= 0 and -t or t)
    local length = math.sqrt(x * x + y * y + z * z)
    return { x / length, y / length, z / length }
end

local COUNTS = { vec2 = 2, vec3 = 3, vec4 = 4, quat = 4, transform2 = 6, transform3 = 12, normal2 = 1, normal3 = 2 }
for name, count in pairs(COUNTS) do
    for _, size in ipairs({ "16", "32", "64" }) do
        FORMS[name .. "f" .. size] = function(r)
            local numbers = {}
            for i = 1, count do
                numbers[i] = FORMS["float" .. size](r)[1]
            end
            if name == "normal2" then
                return { math.cos(numbers[1]), math.sin(numbers[1]) }
            elseif name == "normal3" then
                return from_octahedron(numbers[1], numbers[2])
            end
            return numbers
        end
    end
end

local form_of

local function in_brackets(form)
    local name, inside = form:match("^(%w+_?%w*)%((.*)%)$")
    local parts, depth, start = {}, 0, 1
    for place = 1, #(inside or "") + 1 do
        local letter = inside and inside:sub(place, place) or ""
        depth = depth + (letter == "(" and 1 or letter == ")" and -1 or 0)
        if inside and depth == 0 and (letter == "," or place == #inside + 1) then
            parts[#parts + 1] = inside:sub(start, place - 1)
            start = place + 1
        end
    end
    return name, parts
end

local function text_of(content)
    if type(content) == "string" then
        return content
    end
    local texts = {}
    for i, number in ipairs(content) do
        texts[i] = ("%.9g"):format(number)
    end
    return #texts == 1 and texts[1] or "(" .. table.concat(texts, ", ") .. ")"
end

-- The function of a form, "vec2f16" or "array_of(uint8)"; nil: there is none.
function form_of(form)
    if FORMS[form] then
        return FORMS[form]
    end
    local name, parts = in_brackets(form)
    local per_entry = name == "array_of" and 1 or name == "dictionary" and 2 or nil
    local first, second = parts[1] and form_of(parts[1]), parts[2] and form_of(parts[2])
    local count_of = per_entry and form_of(parts[per_entry + 1] or "uint16")
    if not (per_entry and first and count_of and (per_entry == 1 or second)) then
        return nil
    end
    return function(r)
        local texts, count = {}, count_of(r)[1]
        for i = 1, count do
            local key = text_of(first(r))
            texts[i] = per_entry == 1 and key or key .. ": " .. text_of(second(r))
        end
        return (per_entry == 1 and "[%s]" or "{%s}"):format(table.concat(texts, ", "))
    end
end

-- --- names of the game's scenes ---------------------------------------------------------------------------------

-- One element for each node that a synchronizer in a scene is about: {path relative to the scene's root, "state" or
-- "input" or "sync", names of the properties}.
local subjects = {}
-- One for each list of a synchronizer: {its path and that of its root, relative to the scene's root, kind, list of
-- "Node:property" as in the scene}.
local synchronizers = {}
local LISTS = { state_properties = "state", input_properties = "input", properties = "sync" }

local function joined(base, path)
    for part in path:gmatch("[^/]+") do
        if part == ".." then
            base = base:match("^(.*)/[^/]*$") or ""
        elseif part ~= "." then
            base = base == "" and part or base .. "/" .. part
        end
    end
    return base
end

local function learn_list(synchronizer, root, kind, list)
    local found, entries = {}, {}
    synchronizers[#synchronizers + 1] = { path = synchronizer, root = root, kind = kind, entries = entries }
    for path, name in list:gmatch('"([^":]*):([^"]*)"') do
        entries[#entries + 1] = path .. ":" .. name
        local node = joined(root, path)
        if not found[node] then
            found[node] = { node = node, kind = kind, names = {} }
            subjects[#subjects + 1] = found[node]
        end
        table.insert(found[node].names, name)
    end
end

local function read_scene(text)
    local scripts, path, is_synchronizer, root = {}, nil, false, ""
    for line in (text .. "\n"):gmatch("(.-)\r?\n") do
        local id = line:match('^%[ext_resource.*[ "]id="?([%w_]+)"?')
        if id and line:find("%-synchronizer%.gd") then
            scripts[id] = true
        elseif line:match("^%[") then
            local name, parent = line:match('^%[node.* name="([^"]*)"') or line:match('^%[node name="([^"]*)"'),
                line:match(' parent="([^"]*)"')
            path, is_synchronizer, root = name and (parent and joined(parent == "." and "" or parent, name) or ""), false, nil
        elseif path then
            local script, target = line:match('^script = ExtResource%(%s*"?([%w_]+)"?'), line:match('^root = NodePath%("(.*)"%)')
            is_synchronizer = is_synchronizer or (script and scripts[script]) or false
            root = target and joined(path, target) or root
            local list, values = line:match("^([%w_]+) = Array%[String%]%(%[(.*)%]%)")
            if is_synchronizer and LISTS[list or ""] then
                learn_list(path, root or joined(path, ".."), LISTS[list], values)
            end
        end
    end
end

local function read_folder(folder, depth)
    local ok, directory = pcall(Dir.open, folder)
    for entry in ok and directory or function() end do
        local path = folder .. "/" .. entry
        local file = entry:match("%.tscn$") and io.open(path, "rb")
        if file then
            read_scene(file:read("*a"))
            file:close()
        elseif depth < 8 and not entry:match("^%.") and entry ~= "addons" and Dir.exists(path) then
            read_folder(path, depth + 1)
        end
    end
end

local read_project -- the folder that `subjects` are from

local function learn_project()
    local ok, godot = pcall(get_preference, "godot.project")
    local folder = netfox.prefs.project ~= "" and netfox.prefs.project or (ok and godot) or ""
    if folder ~= read_project then
        subjects, synchronizers, read_project = {}, {}, folder
        if folder ~= "" then
            read_folder(folder, 0)
        end
    end
end

-- Names of the properties of the node with this path, of which there are `count` (nil: not known); nil: they are not
-- certain.
local function names_of(path, kind, count)
    local found
    for _, subject in ipairs(subjects) do
        local fits = subject.kind == kind and (subject.node == "" or ("/" .. path):sub(-#subject.node - 1) == "/" .. subject.node)
        if fits and (not count or #subject.names == count) then
            local longer = found and #subject.node > #found.node
            local same = found and table.concat(found.names, " ") == table.concat(subject.names, " ")
            if found and not longer and not same and #subject.node == #found.node then
                return nil
            end
            found = (not found or longer) and subject or found
        end
    end
    return found and found.names
end

-- --- what is remembered ----------------------------------------------------------------------------------------

local sessions = {}

function netfox.init()
    sessions = {}
    learn_project()
end

-- Facts about where the bytes stand, see plugin/multiplayer/payload/api.h.
local function facts_of(pinfo)
    local told = function(name) return pinfo.private["godot." .. name] end
    local session = tonumber(told("session") or 0)
    sessions[session] = sessions[session] or { numbers = {}, inputs = {}, answers = {}, names = {} }
    local initiator, source, target = told("from_initiator"), told("source"), told("target")
    return {
        session = sessions[session], number = tonumber(told("number") or 0), first = told("first") ~= nil, node = told("node") or "",
        name = told("name"), before = told("before") or "", after = told("after") or "",
        -- Peers, as far as their ids are known.
        from = source or (initiator and "client" or "server"),
        to = target and target ~= "0" and target or (initiator and "server" or "client"),
        time = pinfo.rel_ts,
    }
end

local function learn_number(facts, id, path)
    local numbers = facts.session.numbers
    local key = facts.from .. " " .. id
    if facts.first and not (numbers[key] and numbers[key].path == path) then
        numbers[key] = { path = path, number = facts.number }
    end
end

-- The path of a node that the receiver has told its number of.
local function path_of(facts, id)
    local known = facts.session.numbers[facts.to .. " " .. id]
    return known and known.path
end

-- Answers that depend on what came before are found on the first pass and kept with the message.
local function kept(facts, what, find)
    local key = facts.number .. what
    if facts.first then
        facts.session.answers[key] = find()
    end
    return facts.session.answers[key]
end

-- Ticks a second: as the server's states come, before that by the preference.
local function rate(session)
    local first, newest = session.first_state, session.newest_state
    local passed = newest.time - first.time
    return passed > 2 and (newest.tick - first.tick) / passed or netfox.prefs.tickrate
end

-- The server's tick is that of its newest state, and goes on by the tick rate.
local function lead_of(facts, tick)
    return kept(facts, "lead", function()
        local newest = facts.session.newest_state
        if newest and facts.time - newest.time < 5 then
            return tick - newest.tick - math.floor((facts.time - newest.time) * rate(facts.session))
        end
    end)
end

local function lag_of(facts, tick)
    return kept(facts, "lag", function()
        local newest = facts.session.inputs[facts.to]
        return newest and newest - tick
    end)
end

-- Names that a full state has made certain are those of the differences after it.
local function kept_names(facts, path, kind, count)
    local known = facts.session.names[kind .. path]
    if known and known.number <= facts.number then
        return known.names
    end
    local names = names_of(path, kind, count)
    if names and count and facts.first then
        facts.session.names[kind .. path] = { names = names, number = facts.number }
    end
    return names
end

local function learn_state(facts, tick)
    local newest = facts.session.newest_state
    local from_server = facts.from == "1" or facts.from == "server"
    if facts.first and from_server and (not newest or tick > newest.tick) then
        facts.session.newest_state = { tick = tick, time = facts.time }
        facts.session.first_state = facts.session.first_state or facts.session.newest_state
    end
end

local function learn_input(facts, tick)
    if facts.first then
        facts.session.inputs[facts.from] = math.max(tick, facts.session.inputs[facts.from] or 0)
    end
end

-- --- snapshots: read as a whole before anything is shown ---------------------------------------------------------

local function read_reference(r)
    local node = { from = r.at }
    node.id, node.id_range = r:varuint()
    if node.id == 0 then
        node.path, node.path_range = r:path()
    end
    return node
end

local function read_snapshot(r, sparse)
    local snapshot = { from = r.at, tick = r:uint(4), nodes = {} }
    while r:left() > 0 do
        local node = read_reference(r)
        node.size, node.size_range = r:varuint()
        if sparse then
            node.changed, node.changed_range = r:flags()
        end
        node.values_at = r.at
        r:take(node.size)
        node.to = r.at
        snapshot.nodes[#snapshot.nodes + 1] = node
    end
    snapshot.to = r.at
    return snapshot
end

local function read_inputs(r)
    local snapshots = {}
    while r:left() > 0 do
        local length = r:varuint()
        local inner = reader(r.tvb, r.at, r.at + length)
        r:take(length)
        snapshots[#snapshots + 1] = read_snapshot(inner)
    end
    return snapshots
end

local function read_identities(r)
    local list = {}
    while r:left() > 0 do
        local one = { from = r.at }
        one.path, one.path_range = r:path()
        one.id, one.id_range = r:varuint()
        list[#list + 1] = one
    end
    return list
end

-- --- showing -----------------------------------------------------------------------------------------------------

-- The text that a dissector writes into the Info column.
local function text_by(dissector, range, pinfo, tree)
    local before = tostring(pinfo.cols.info)
    pinfo.cols.info = ""
    dissector:call(range:tvb(), pinfo, tree)
    local text = tostring(pinfo.cols.info)
    pinfo.cols.info = before
    return text
end

local function schema_of(path, name)
    local last = path:match("([^/]*)$")
    return SCHEMAS[last .. ":" .. name] or SCHEMAS[":" .. name]
end

-- Number of the values if each of them is a Variant with its length before it, as put_var() writes; else nil.
local function count_variants(tvb, from, to)
    local count = 0
    while from < to do
        if to - from < 8 then
            return nil
        end
        from, count = from + 4 + tvb(from, 4):le_uint(), count + 1
    end
    return from == to and count or nil
end

local function show_value(r, name, path, pinfo, tree, shown)
    local from, form = r.at, schema_of(path, name)
    local item = tree:add(fields.property, r.tvb(from, math.max(r:left(), 1)), name)
    local text
    if form and not form_of(form) then
        error("SCHEMAS has a form that is not known: " .. form, 0)
    elseif form then
        local content = form_of(form)(r)
        text = text_of(content)
        for _, number in ipairs(type(content) == "table" and content or {}) do
            item:add(fields.component, r.tvb(from, r.at - from), number)
        end
    else
        local range = r:take(r:uint(4))
        shown.values = shown.values + 1
        text = range and shown.values <= MAX_VALUES and text_by(variant, range, pinfo, item) or "…"
    end
    item:add(fields.value, r.tvb(from, r.at - from), text):set_generated()
    item:set_len(r.at - from)
    item:set_text(name .. ": " .. text)
    return name .. ": " .. text
end

local function show_values(node, kind, facts, tvb, pinfo, tree, shown)
    local r, texts = reader(tvb, node.values_at, node.to), {}
    local variants = count_variants(tvb, node.values_at, node.to)
    local names = node.path and kept_names(facts, node.path, kind, not node.changed and variants or nil) or {}
    local has_schema = false
    for _, name in ipairs(names) do
        has_schema = has_schema or schema_of(node.path or "", name) ~= nil
    end
    if not variants and not has_schema then
        if node.size > 0 then
            tree:add(fields.data, tvb(node.values_at, node.size)):append_text(" (forms of a schema)")
        end
        return ("%d bytes"):format(node.size)
    end
    local place = 0
    while r:left() > 0 do
        place = place + 1
        local index = place
        if node.changed then
            index = node.changed[place]
        end
        local from = r.at
        local ok, text = pcall(show_value, r, index and names[index] or ("Property %d"):format((index or place) - 1), node.path or "", pinfo, tree, shown)
        texts[place] = text
        if not ok then
            tree:add(fields.data, tvb(from, node.to - from)):add_proto_expert_info(malformed, "The values do not have these forms: " .. text)
            texts[place] = "…"
            break
        end
    end
    return table.concat(texts, ", ")
end

local function show_node(node, kind, facts, tvb, pinfo, tree, shown)
    node.path = node.path or path_of(facts, node.id)
    local name = node.path or "node " .. node.id
    local branch = tree:add(fields.node, tvb(node.from, node.to - node.from), node.path or "")
    if node.id > 0 then
        branch:add(fields.id, node.id_range, node.id)
    end
    branch:add(fields.size, node.size_range, node.size)
    if node.changed_range then
        branch:add(fields.changed, node.changed_range)
    end
    local text = ("%s {%s}"):format(name, show_values(node, kind, facts, tvb, pinfo, branch, shown))
    branch:set_text(text)
    return text
end

local function show_snapshot(snapshot, kind, facts, tvb, pinfo, tree, shown)
    tree:add_le(fields.tick, tvb(snapshot.from, 4))
    local texts = {}
    for i, node in ipairs(snapshot.nodes) do
        texts[i] = show_node(node, kind, facts, tvb, pinfo, tree, shown)
    end
    return table.concat(texts, ", ")
end

local function add_number(tree, field, number)
    if number then
        tree:add(field, number):set_generated()
    end
end

local function signed(number)
    return number and (" (%+d)"):format(number) or ""
end

local function behind(lag)
    return lag and (" (%d %s)"):format(math.abs(lag), lag < 0 and "ahead" or "behind") or ""
end

-- Each kind: `read` gets a reader and returns what `show` gets, which returns a text for the Info column.
local KINDS = {}

local function state_kind(name, kind, sparse)
    KINDS[name] = {
        read = function(r) return read_snapshot(r, sparse) end,
        show = function(snapshot, facts, tvb, pinfo, tree)
            local lag = lag_of(facts, snapshot.tick)
            learn_state(facts, snapshot.tick)
            local text = show_snapshot(snapshot, kind, facts, tvb, pinfo, tree, { values = 0 })
            add_number(tree, fields.lag, lag)
            return ("%d%s %s"):format(snapshot.tick, behind(lag), text)
        end,
    }
end

state_kind("full state", "state")
state_kind("diff state", "state", true)
state_kind("full sync", "sync")
state_kind("diff sync", "sync", true)

KINDS.input = {
    read = read_inputs,
    show = function(snapshots, facts, tvb, pinfo, tree)
        local newest, shown, first_text = 0, { values = 0 }, ""
        for _, snapshot in ipairs(snapshots) do
            newest = math.max(newest, snapshot.tick)
        end
        tree:add(fields.newest, newest):set_generated()
        local lead = lead_of(facts, newest)
        learn_input(facts, newest)
        add_number(tree, fields.lead, lead)
        for i, snapshot in ipairs(snapshots) do
            local branch = tree:add(netfox, tvb(snapshot.from, snapshot.to - snapshot.from), "Tick " .. snapshot.tick)
            local text = show_snapshot(snapshot, "input", facts, tvb, pinfo, branch, shown)
            first_text = i == 1 and text or first_text
        end
        return ("%d%s %s"):format(newest, signed(lead), first_text)
    end,
}

KINDS.identities = {
    read = read_identities,
    show = function(list, facts, tvb, _, tree)
        local texts = {}
        for i, one in ipairs(list) do
            local branch = tree:add(fields.node, one.path_range, one.path)
            branch:add(fields.id, one.id_range, one.id)
            learn_number(facts, one.id, one.path)
            texts[i] = ("%s is %d"):format(one.path, one.id)
        end
        return table.concat(texts, ", ")
    end,
}

-- A Variant of this type: the whole data.
local function variant_kind(name, type_id, field)
    KINDS[name] = {
        read = function(r)
            if r:left() < 8 or r:left() > 64 or r:uint(2) ~= type_id then
                error("not a value of this type", 0)
            end
            r:take(r:left())
            return true
        end,
        show = function(_, _, tvb, pinfo, tree)
            local text = text_by(variant, tvb(), pinfo, tree)
            local number = tonumber(text:match("^%[?(%-?[%d.e+-]+)"))
            if number then
                tree:add(field, tvb(), number):set_generated()
            end
            return text
        end,
    }
end

local INT, FLOAT, ARRAY = 2, 3, 28 -- types of Variants

variant_kind("ping", INT, fields.sample)
variant_kind("pong", ARRAY, fields.sample)
variant_kind("set time", FLOAT, fields.time)
KINDS["request time"] = { read = function() return true end, show = function() return "" end }

-- What the data is, by the command's number and, if it does not have that shape, by others that it has.
local function recognize(number, tvb, facts)
    local session = facts.session
    local higher = session.higher and session.higher <= facts.number
    local order = { COMMANDS[higher and number - 1 or number] or "", COMMANDS[number - 1] or "", "input", "diff state", "full state",
        "identities" }
    for place, name in ipairs(order) do
        local r = reader(tvb)
        local ok, content = pcall(KINDS[name] and KINDS[name].read or error, r)
        if ok and r:left() == 0 then
            if place == 2 and facts.first and not session.higher then
                session.higher = facts.number
            end
            return name, content
        end
    end
end

-- `tvb`: the data of the command.
local function dissect_command(number, tvb, pinfo, tree, facts, transport)
    local name, content = recognize(number, tvb, facts)
    if facts.first and not facts.session.seen then
        facts.session.seen = facts.number
    end
    tree:add(fields.transport, transport):set_generated()
    tree:add(fields.command, name or "unknown"):set_generated()
    tree:append_text(", " .. (name or "command " .. number))
    local text = ""
    if name then
        text = KINDS[name].show(content, facts, tvb, pinfo, tree)
    elseif tvb:len() > 0 then
        tree:add(fields.data, tvb())
        tree:add_proto_expert_info(malformed)
        text = ("%d, %d bytes"):format(number, tvb:len())
    end
    pinfo.cols.info = ("%s %s"):format(name or "command", text)
end

-- --- before 1.40: calls of each synchronizer -----------------------------------------------------------------------

-- hash() of the engine, of a text and of a whole number, modulo 256.
local function hash_of_text(text)
    local hash = 5381
    for i = 1, #text do
        hash = (hash * 33 + text:byte(i)) % 2 ^ 32
    end
    return hash % 256
end

local function hash_of_number(number)
    local v = UInt64(number, 0)
    v = v:bnot() + v:lshift(18)
    v = v:bxor(v:rshift(31)) * UInt64(21, 0)
    v = v:bxor(v:rshift(11))
    v = v + v:lshift(6)
    return v:bxor(v:rshift(22)):band(UInt64(255, 0)):tonumber()
end

-- The entries of a list by the numbers that differences give them.
local function by_number(entries)
    local numbers = {}
    for _, entry in ipairs(entries) do
        local number = hash_of_text(entry)
        while numbers[number] do
            number = hash_of_number(number + 1)
        end
        numbers[number] = entry
    end
    return numbers
end

-- The list of the synchronizer that has called: by its path, of which that in a scene is the end. The calls are
-- those of the synchronizer or of a child. Returns also the path of its root's scene; nil: it is not certain.
local function list_of(facts, kinds)
    local found, base
    for _, one in ipairs(synchronizers) do
        for _, path in ipairs({ facts.node, facts.node:match("^(.*)/[^/]*$") or "" }) do
            local fits = kinds[one.kind] and ("/" .. path):sub(-#one.path - 1) == "/" .. one.path
            if fits and found and table.concat(found.entries) ~= table.concat(one.entries) and #found.path == #one.path then
                return nil
            elseif fits and (not found or #one.path > #found.path) then
                found, base = one, path:sub(1, -#one.path - 2)
            end
        end
    end
    return found, base
end

-- Up to `count` values, below an item for each node. `entry_of` gets the reader and the value's place from 1 and returns
-- its entry, "Node:property", and what stands for it if that is nil.
local function show_entries(r, count, entry_of, place, pinfo, tree, shown)
    local texts, node, branch, start = {}, nil, nil, nil
    while r:left() > 0 and #texts < count do
        local from = r.at
        local entry, name = entry_of(r, #texts + 1)
        local path = place.list and joined(place.base, joined(place.list.root, (entry or ":"):match("^[^:]*"))) or place.node
        if path ~= node then
            node, start = path, from
            branch = tree:add(fields.node, r.tvb(from), path)
            branch:set_text(path)
        end
        texts[#texts + 1] = show_value(r, entry and entry:match(":(.*)$") or name, path, pinfo, branch, shown)
        branch:set_len(r.at - start)
    end
    return table.concat(texts, ", ")
end

-- Calls with bytes: a version of the list of properties, and values. `of`: the kinds of lists; `ticks`: the arguments beside
-- the bytes; `number`: of the method among those of its node.
local OLD = {
    _submit_input = { command = "input", of = { input = true }, ticks = "before", pattern = "^(%d+)$", number = 4 },
    _submit_full_state = { command = "full state", of = { state = true, sync = true }, ticks = "after", pattern = "^(%d+)$", number = 3 },
    _submit_diff_state = { command = "diff state", of = { state = true, sync = true }, ticks = "after", pattern = "^(%d+), (%-?%d+)$", number = 2 },
}

-- Without names of methods: what has these arguments, that number and, in the project, a list.
local function old_call(facts)
    for name, call in pairs(OLD) do
        local tick, reference = facts[call.ticks]:match(call.pattern)
        local other = call.ticks == "before" and facts.after or facts.before
        if tick and other == "" and (facts.name == name or (facts.name == "#" .. call.number and list_of(facts, call.of))) then
            return call, tonumber(tick), tonumber(reference)
        end
    end
end

local SHOW_OLD = {}

SHOW_OLD["full state"] = function(r, place, pinfo, tree, shown)
    local entries = place.list and place.list.entries or {}
    tree:add(fields.tick, place.tick):set_generated()
    return show_entries(r, math.huge, function(_, index)
        return entries[index], ("Property %d"):format(index - 1)
    end, place, pinfo, tree, shown)
end

SHOW_OLD["diff state"] = function(r, place, pinfo, tree, shown)
    local numbers = by_number(place.list and place.list.entries or {})
    tree:add(fields.tick, place.tick):set_generated()
    tree:add(fields.reference, place.reference):set_generated()
    return show_entries(r, math.huge, function()
        local number = r:uint(1)
        return numbers[number], ("Property #%d"):format(number)
    end, place, pinfo, tree, shown)
end

-- The newest tick first, and as many before it as there are values for.
SHOW_OLD.input = function(r, place, pinfo, tree, shown)
    local entries, tick, first = place.list and place.list.entries or {}, place.tick, nil
    local count = #entries > 0 and #entries or math.huge
    tree:add(fields.newest, tick):set_generated()
    while r:left() > 0 do
        local from = r.at
        local branch = tree:add(netfox, r.tvb(from), "Tick " .. tick)
        branch:add(fields.tick, tick):set_generated()
        local text = show_entries(r, count, function(_, index)
            return entries[index], ("Property %d"):format(index - 1)
        end, place, pinfo, branch, shown)
        branch:set_len(r.at - from)
        first, tick = first or text, tick - 1
    end
    return first or ""
end

local function dissect_old_call(call, tick, reference, tvb, pinfo, tree, facts)
    local r, place = reader(tvb), { tick = tick, reference = reference, node = facts.node }
    place.list, place.base = list_of(facts, call.of)
    tree:append_text(", " .. call.command)
    tree:add(fields.transport, "call of a synchronizer"):set_generated()
    tree:add(fields.command, call.command):set_generated()
    local note
    if call.command == "input" then
        local lead = lead_of(facts, tick)
        learn_input(facts, tick)
        add_number(tree, fields.lead, lead)
        note = signed(lead)
    else
        local lag = lag_of(facts, tick)
        learn_state(facts, tick)
        add_number(tree, fields.lag, lag)
        note = behind(lag)
    end
    local text = ""
    if tvb:len() > 0 then -- nothing: no property has changed
        tree:add(fields.version, tvb(0, 1))
        r:uint(1)
        local ok, result = pcall(SHOW_OLD[call.command], r, place, pinfo, tree, { values = 0 })
        text = ok and result or "…"
        if not ok then
            tree:add(fields.data, tvb(1)):add_proto_expert_info(malformed, "The values do not have these forms: " .. result)
        end
    end
    pinfo.cols.info = ("%s %d%s {%s}"):format(call.command, tick, note, text)
end

-- RewindableAction: first tick, ticks after it that the set is about, and of the active ones how many after it.
local function dissect_action(tvb, pinfo, tree)
    local r = reader(tvb)
    local first = r:uint(4)
    tree:add_le(fields.first, tvb(0, 4))
    local length, ticks = r:uint(1), {}
    while r:left() > 0 do
        local tick = first + r:uint(1)
        tree:add(fields.active, tvb(r.at - 1, 1), tick)
        ticks[#ticks + 1] = tick
    end
    tree:append_text((", action from tick %d to %d"):format(first, first + length))
    pinfo.cols.info = ("action %d–%d active: %s"):format(first, first + length, #ticks > 0 and table.concat(ticks, " ") or "none")
end

-- In a capture that starts late, paths and methods of calls are only numbers: what has the shape of a command and its
-- number is one. An action is one in a session with commands.
local function is_command_by_shape(facts, number, tvb)
    local name = facts.node == "" and (facts.name or ""):match("^#%d$") and recognize(number or -1, tvb, facts)
    return name and name == COMMANDS[number]
end

local function is_action(facts, tvb)
    local seen = facts.session.seen
    return (facts.name == "_submit_state" or (facts.name or ""):match("^#%d$")) and seen and seen <= facts.number and facts.before == ""
        and tvb:len() >= 5 and tvb:len() <= 261 and tvb(4, 1):uint() + 6 >= tvb:len()
end

local CALLS = { _submit_unreliable = true, _submit_unreliable_ordered = true, _submit_reliable = true }

-- --- where the bytes stand ------------------------------------------------------------------------------------

-- Arguments of remote calls. The node of the commands is the first child of the autoload.
function netfox.dissector(tvb, pinfo, tree)
    local facts = facts_of(pinfo)
    local is_command = facts.node:match("^NetworkCommandServer/") or CALLS[facts.name]
    local number = tonumber(facts.before)
    if number and (is_command or is_command_by_shape(facts, number, tvb)) then
        local branch = tree:add(netfox, tvb())
        tree:add(fields.number, number):set_generated()
        dissect_command(number, tvb, pinfo, branch, facts, "call")
    elseif old_call(facts) then
        local call, tick, reference = old_call(facts)
        dissect_old_call(call, tick, reference, tvb, pinfo, tree:add(netfox, tvb()), facts)
    elseif is_action(facts, tvb) then
        dissect_action(tvb, pinfo, tree:add(netfox, tvb()))
    else
        return 0
    end
    return tvb:len()
end

-- Raw packets begin with "\0NF" and the number of the command.
netfox:register_heuristic("godot.raw", function(tvb, pinfo, tree)
    if tvb:len() < 4 or tvb(0, 3):uint() ~= 0x004e46 then
        return false
    end
    local branch = tree:add(netfox, tvb())
    branch:add(fields.number, tvb(3, 1))
    local data = tvb:len() > 4 and tvb(4):tvb() or tvb(0, 0):tvb()
    dissect_command(tvb(3, 1):uint(), data, pinfo, branch, facts_of(pinfo), "raw packet")
    return true
end)

DissectorTable.get("godot.method"):add("*", netfox)

-- --- calls without bytes ---------------------------------------------------------------------------------------

-- The handshake of tick rates, and what the receiver of a state answered before 1.40: `node` is the end of its path,
-- `number` that of the method among those of its node.
local ANSWERS = {
    _submit_tickrate = { text = "tick rate", field = fields.tickrate, node = "NetworkTickrateHandshake", number = 0 },
    _ack_full_state = { text = "full state arrived", field = fields.tick, node = "Synchronizer", number = 1 },
    _ack_diff_state = { text = "diff state arrived", field = fields.tick, node = "Synchronizer", number = 0 },
}

local function answer_of(name, path)
    for method, answer in pairs(ANSWERS) do
        if name == method or (name == "#" .. answer.number and path:gsub("/Node$", ""):sub(-#answer.node) == answer.node) then
            return answer
        end
    end
end

local answers = Proto("netfox_answers", "netfox Answers")
local call_field, path_field = Field.new("godot.rpc.call"), Field.new("godot.path")

function answers.dissector(tvb, _, tree)
    local paths = { path_field() }
    for place, call in ipairs({ call_field() }) do
        local name, number = tostring(call.value):match("^([%w_#]+)%((%-?%d+)%)$")
        local answer = name and answer_of(name, paths[place] and tostring(paths[place].value) or "")
        if answer then
            local item = tree:add(netfox, tvb(0, 0)):set_text(("netfox, %s %s"):format(answer.text, number))
            item:add(fields.command, answer.text):set_generated()
            item:add(answer.field, tonumber(number)):set_generated()
        end
    end
end

register_postdissector(answers)
