// The proxy in front of the cluster: requests in turn to whoever says it is ready, asked twice a second. One that could not be connected to
// is passed by, since nothing was sent; whatever was sent is never sent again. HAProxy, or else forward.js.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { answers, makeDaemon } from "./daemon.ts"

export interface Front {
  readonly name: string
  readonly port: number
  /** Ports of the processes behind it. */
  readonly behind: ReadonlyArray<number>
}

const haproxyConfig = (fronts: ReadonlyArray<Front>) =>
  [
    "global",
    "  maxconn 2000",
    "defaults",
    "  mode http",
    "  timeout connect 2s",
    "  timeout client 60s",
    "  timeout server 60s",
    "  timeout check 3s",
    "  option forwardfor",
    "  option redispatch",
    "  retries 3",
    "  retry-on conn-failure",
    "  default-server check inter 500ms fall 2 rise 1",
    ...fronts.flatMap(({ behind, name, port }) => [
      `frontend ${name}`,
      `  bind 127.0.0.1:${port}`,
      `  default_backend ${name}`,
      `backend ${name}`,
      "  balance roundrobin",
      "  option httpchk GET /health/ready",
      ...behind.map((at, i) => `  server ${name}${i + 1} 127.0.0.1:${at}`)
    ]),
    ""
  ].join("\n")

export const makeProxy = Effect.fnUntraced(function* (
  dir: string,
  haproxy: string | undefined,
  fronts: ReadonlyArray<Front>
) {
  const file = join(dir, haproxy === undefined ? "proxy.json" : "haproxy.cfg")
  writeFileSync(file, haproxy === undefined ? JSON.stringify(fronts) : haproxyConfig(fronts))
  const forward = fileURLToPath(new URL("./forward.js", import.meta.url))
  return yield* makeDaemon({
    name: "proxy",
    dir,
    program: haproxy ?? process.execPath,
    args: haproxy === undefined ? [forward, file] : ["-db", "-f", file],
    env: { PATH: process.env["PATH"] ?? "" },
    works: async () => {
      for (const { port } of fronts) if (!(await answers(`http://127.0.0.1:${port}/health/ready`)())) return false
      return true
    }
  })
})
