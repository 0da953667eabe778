-- Makes wrk send requests from files in sequence, and prints the result as JSON.
--
--   wrk … -s requests.lua URL -- METHOD HEADERS PATHS [BODIES]
--
-- HEADERS contains "Name: value" lines. PATHS and BODIES contain one path or body per line. All requests are built before the
-- first is sent, so that wrk uses little CPU during the measurement.

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

local function lines(name)
  local found = {}
  for line in io.lines(name) do
    found[#found + 1] = line
  end
  return found
end

local requests, place

function init(arguments)
  local method = arguments[1]
  for _, header in ipairs(lines(arguments[2])) do
    local name, value = header:match("^(.-): (.*)$")
    wrk.headers[name] = value
  end
  local paths = lines(arguments[3])
  local bodies = arguments[4] and lines(arguments[4]) or {}
  requests = {}
  for i = 1, math.max(#paths, #bodies) do
    local body = #bodies > 0 and bodies[(i - 1) % #bodies + 1] or nil
    requests[i] = wrk.format(method, paths[(i - 1) % #paths + 1], nil, body)
  end
  -- The threads start far apart (at 0, 0.62, 0.24, … of the list), so that no thread soon repeats the requests of another one:
  -- a server would answer them from its cache.
  place = math.floor(number * 0.618034 % 1 * #requests)
end

function request()
  place = place % #requests + 1
  return requests[place]
end

function done(summary, latency)
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"failed":%d,"broken":%d,"p50_ms":%.4f,"p99_ms":%.4f,"max_ms":%.4f}\n',
    summary.requests, summary.duration / 1e6, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
end
