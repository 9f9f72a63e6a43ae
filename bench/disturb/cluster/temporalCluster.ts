// Temporal as a cluster on one machine: frontend, two history, matching and worker, each a process with an address of its own on the
// loopback network, on a Postgres with SQL visibility.
import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect } from "effect"
import { freePort } from "../../../bin/parts/os.js"
import { MachineFailed } from "../../support/machine.ts"
import { type Daemon, makeDaemon } from "./daemon.ts"
import type { Programs } from "./programs.ts"

/** A port for each service, an address for each process: members of a service find each other by their address alone. */
const MEMBERS = [
  { name: "t-history1", service: "history", ip: "127.0.0.22" },
  { name: "t-history2", service: "history", ip: "127.0.0.23" },
  { name: "t-matching", service: "matching", ip: "127.0.0.24" },
  { name: "t-frontend", service: "frontend", ip: "127.0.0.21" },
  { name: "t-worker", service: "worker", ip: "127.0.0.25" }
] as const
const SERVICES = ["frontend", "history", "matching", "worker"] as const
const SHARDS = 16
const DATABASES = ["temporal", "visibility"] as const
const PATIENCE = { timeout: 120_000 }

export interface Store {
  readonly port: number
  readonly user: string
  readonly password: string
}

type Ports = Readonly<Record<(typeof SERVICES)[number], { readonly grpc: number; readonly member: number }>>

const takesConnections = (host: string, port: number) => () =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection({ host, port, timeout: 1000 })
    const end = (yes: boolean) => {
      socket.destroy()
      resolve(yes)
    }
    socket.once("connect", () => end(true))
    socket.once("error", () => end(false))
    socket.once("timeout", () => end(false))
  })

const datastore = (store: Store, database: string, connections: number) => ({
  sql: {
    pluginName: "postgres12_pgx",
    databaseName: database,
    connectAddr: `127.0.0.1:${store.port}`,
    connectProtocol: "tcp",
    user: store.user,
    password: store.password,
    maxConns: connections,
    maxIdleConns: connections,
    maxConnLifetime: "1h"
  }
})

/** JSON is YAML. */
const configOf = (dir: string, ip: string, ports: Ports, store: Store, frontend: string) => {
  const off = { state: "disabled" }
  return {
    log: { stdout: true, level: "warn" },
    persistence: {
      defaultStore: "main",
      visibilityStore: "visibility",
      numHistoryShards: SHARDS,
      datastores: {
        main: datastore(store, DATABASES[0], 20),
        visibility: datastore(store, DATABASES[1], 5)
      }
    },
    global: { membership: { maxJoinDuration: "30s", broadcastAddress: ip } },
    services: Object.fromEntries(
      SERVICES.map((name) => [
        name,
        { rpc: { grpcPort: ports[name].grpc, membershipPort: ports[name].member, bindOnIP: ip } }
      ])
    ),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: "active",
      currentClusterName: "active",
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: "frontend", rpcAddress: frontend }
      }
    },
    dcRedirectionPolicy: { policy: "noop" },
    archival: { history: off, visibility: off },
    namespaceDefaults: { archival: { history: off, visibility: off } },
    publicClient: { hostPort: frontend },
    dynamicConfigClient: { filepath: join(dir, "dynamic.yaml"), pollInterval: "10s" }
  }
}

/** Settings that docs/operations.md tells operators of a cluster to set. */
const DYNAMIC = {
  "history.transferProcessorMaxPollRPS": [{ value: 1000 }],
  "system.enableActivityEagerExecution": [{ value: true }]
}

const onDatabases = (tool: string, store: Store, steps: (database: string) => ReadonlyArray<ReadonlyArray<string>>) =>
  Effect.tryPromise({
    try: async () => {
      for (const database of DATABASES) {
        const where = ["--plugin", "postgres12_pgx", "--ep", "127.0.0.1", "-p", String(store.port)]
        const who = ["-u", store.user, "--pw", store.password, "--db", database]
        for (const step of steps(database)) await promisify(execFile)(tool, [...where, ...who, ...step], PATIENCE)
      }
    },
    catch: (error) => new MachineFailed({ message: `Temporal's schema: ${(error as Error).message}` })
  })

/** Both databases, empty, with the schemas that the tool brings. */
export const makeDatabases = (tool: string, store: Store) =>
  onDatabases(tool, store, (database) => [
    ["create"],
    ["setup-schema", "-v", "0.0"],
    ["update-schema", "--schema-name", `postgresql/v12/${database}`]
  ])

/** All that Temporal knows. Nobody may be connected. */
export const dropDatabases = (tool: string, store: Store) => onDatabases(tool, store, () => [["drop", "--force"]])

export const makeTemporalCluster = Effect.fnUntraced(function* (
  dir: string,
  { server, sqlTool }: Programs,
  store: Store
) {
  const findPort = Effect.promise(() => freePort() as Promise<number>)
  const ports = Object.fromEntries(
    yield* Effect.forEach(SERVICES, (name) =>
      Effect.map(Effect.all([findPort, findPort]), ([grpc, member]) => [name, { grpc, member }] as const)
    )
  ) as Ports
  const address = `${MEMBERS.find(({ service }) => service === "frontend")!.ip}:${ports.frontend.grpc}`
  writeFileSync(join(dir, "dynamic.yaml"), JSON.stringify(DYNAMIC))
  yield* makeDatabases(sqlTool, store)
  const daemons: Array<Daemon> = []
  for (const { ip, name, service } of MEMBERS) {
    mkdirSync(join(dir, "conf", name), { recursive: true })
    const config = configOf(dir, ip, ports, store, address)
    writeFileSync(join(dir, "conf", name, "cluster.yaml"), JSON.stringify(config))
    const flags = ["--root", join(dir, "conf"), "--config", name, "--env", "cluster", "--allow-no-auth"]
    daemons.push(
      yield* makeDaemon({
        name,
        dir,
        program: server,
        args: [...flags, "start", "--service", service],
        env: { PATH: process.env["PATH"] ?? "" },
        // Temporal's own worker serves nobody.
        works: takesConnections(ip, service === "worker" ? ports[service].member : ports[service].grpc)
      })
    )
  }
  const [first, ...others] = daemons
  // The first one writes what the cluster is.
  yield* Effect.andThen(first!.start, first!.ready)
  yield* Effect.forEach(others, (one) => one.start)
  yield* Effect.forEach(others, (one) => one.ready)
  return { address, daemons }
})
