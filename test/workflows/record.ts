// npm run record -- NAME ...: runs scenarios on a Temporal of their own and stores the histories of their first executions, without
// the names of this machine. A history that is there stays: it stands for what runs out there have behind them.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client } from "@temporalio/client"
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js"
import { NativeConnection, Worker } from "@temporalio/worker"
import { findTemporal } from "../../bin/parts/findTemporal.js"
import { freePort, stop } from "../../bin/parts/os.js"
import { STOP_SIGNALS, startTemporal } from "../../bin/parts/temporal.js"
import { Failing, RunStatus } from "../../src/engine/temporal/messages.ts"
import { bundlePath } from "../../src/engine/temporal/workflowBundle.ts"
import { type Scenario, scenarios, TASK_QUEUE } from "./scenarios.ts"

const NAMESPACE = "default"
const KEYWORD = 2
const fileOf = (name: string) => fileURLToPath(new URL(`./histories/${name}.json`, import.meta.url))

/** Without what tells of this machine. */
const anonymous = (key: string, value: unknown) => (key === "identity" ? "worker" : key === "stackTrace" ? "" : value)

const record = async (connection: NativeConnection, name: string, { activities, args, during, workflow }: Scenario) => {
  const client = new Client({ connection, namespace: NAMESPACE })
  const worker = await Worker.create({
    connection,
    namespace: NAMESPACE,
    taskQueue: TASK_QUEUE,
    workflowBundle: { codePath: await bundlePath() },
    activities: activities()
  })
  const history = await worker.runUntil(async () => {
    const options = { taskQueue: TASK_QUEUE, workflowId: name, args: [...args()] }
    const handle = await client.workflow.start(workflow, options)
    await during?.(handle)
    await handle.result()
    return client.workflow.getHandle(name, handle.firstExecutionRunId).fetchHistory()
  })
  const events = JSON.parse(historyToJSON(history), anonymous)
  writeFileSync(fileOf(name), `${JSON.stringify(events, null, 2)}\n`)
  console.log(`${name}: ${history.events?.length} events`)
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in scenarios))
const storedNames = names.filter((name) => existsSync(fileOf(name)))
if (names.length === 0 || unknown.length > 0 || storedNames.length > 0) {
  for (const name of unknown) console.error(`There is no scenario ${name}.`)
  for (const name of storedNames)
    console.error(`${name} is stored already; give the changed path a scenario of its own.`)
  console.error(`Scenarios (test/workflows/scenarios.ts): ${Object.keys(scenarios).join(", ")}`)
  process.exit(1)
}

const dir = mkdtempSync(join(tmpdir(), "millrace-record-"))
const temporal = await startTemporal({
  program: await findTemporal(console.log),
  database: join(dir, "temporal.db"),
  port: await freePort(),
  log: join(dir, "log"),
  pidFile: join(dir, "pid")
})
try {
  const connection = await NativeConnection.connect({ address: temporal.address })
  await connection.operatorService.addSearchAttributes({
    namespace: NAMESPACE,
    searchAttributes: { [Failing.name]: KEYWORD, [RunStatus.name]: KEYWORD }
  })
  for (const name of names) await record(connection, name, scenarios[name]!)
  await connection.close()
} finally {
  await stop(temporal.identity, STOP_SIGNALS)
  rmSync(dir, { recursive: true, force: true })
}
