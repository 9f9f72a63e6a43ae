// The peers of the rows about automations, in one process: graphile-worker and DBOS doing by hand what a run does, with the same
// rows in a schema of its own (same tables, same indexes). GET /?work=NAME&… does one measurement and answers a sample.
import { setTimeout as sleep } from "node:timers/promises"
import { DBOS } from "@dbos-inc/dbos-sdk"
import { Logger, makeWorkerUtils, run } from "graphile-worker"
import pg from "pg"
import { serve } from "./serve.js"

pg.types.setTypeParser(20, Number)
const connectionString = process.env.DATABASE_URL
const CONNECTIONS = Number(process.env.DATABASE_POOL_WORKER ?? 16)
const pool = new pg.Pool({ connectionString, max: CONNECTIONS, options: "-c search_path=peer,public" })
pool.on("error", () => undefined)
const kinds = new Set((process.env.PEERS ?? "graphile").split(","))
const TABLES = [
  "records",
  "revisions",
  "outbox",
  "runs",
  "run_triggers",
  "run_logs",
  "run_ledger",
  "run_variables",
  "app_counters"
]

await pool.query("CREATE SCHEMA IF NOT EXISTS peer")
for (const table of TABLES) {
  await pool.query(`CREATE TABLE IF NOT EXISTS peer.${table} (LIKE public.${table} INCLUDING ALL)`)
}
await pool.query("INSERT INTO peer.app_counters (app_id) VALUES (1), (2) ON CONFLICT DO NOTHING")

const author = { type: "automation", automation_id: 1 }
const RECORD = `SELECT record_id, app_id, app_record_id, revision, cells, title FROM records WHERE record_id = $1 FOR UPDATE`
const RUN = `INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, cursor, fence, durable, record_id,
  record_revision, depth, chain, log_seq, credits, created_on, filtering_on, started_on, completed_on)
  VALUES (1, 1, 1, 1, $1, 'regular', $2, $3, 1, false, $1, 0, 1, '{}', 2, 1, $4, $4, $4, $5) RETURNING run_id`
const TRIGGER = "INSERT INTO run_triggers (run_id, data) VALUES ($1, $2)"
const LOG = `INSERT INTO run_logs (run_id, seq, type, status, label, messages, action_id, record_id, detail, logged_on)
  VALUES ($1, $2, $3, 'success', $4, '[]', $5, $6, $7, $8)`
const LEDGER = `INSERT INTO run_ledger (run_id, path, iteration, action_id, state, attempts, started_on, done_on)
  VALUES ($1, $2, $3, $4, 'done', 1, $5, $5)`
const STEP = "UPDATE runs SET cursor = $2, log_seq = log_seq + 1, credits = credits + 1 WHERE run_id = $1 AND fence = 1"
const UPDATE =
  "UPDATE records SET cells = $2, revision = $3, last_modified_on = $4, last_modified_by = $5 WHERE record_id = $1"
const REVISION = `INSERT INTO revisions (record_id, revision, type, created_on, created_by, delta) VALUES ($1, $2, $3, $4, $5, $6)`
const OUTBOX = `INSERT INTO outbox (type, org_id, app_id, record_id, hook, workflow, silent, depth, cause, payload, created_on)
  VALUES ($1, 1, 1, $2, true, true, false, 1, $3, $4, $5)`
const COUNT = `UPDATE app_counters SET last_app_record_id = last_app_record_id + 1 WHERE app_id = 2 RETURNING last_app_record_id`
const CREATE = `INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
  VALUES (2, 1, $1, $2, $3, $4, $5) RETURNING record_id`
const VARIABLE = `INSERT INTO run_variables (run_id, custom_type, label, seq, value) VALUES ($1, 'text', 'Note', $2, $3)
  ON CONFLICT (run_id, custom_type, label) DO UPDATE SET seq = excluded.seq, value = excluded.value`

const named = (name, text) => (client, values) => client.query({ name, text, values })
const statements = Object.fromEntries(
  Object.entries({ RECORD, RUN, TRIGGER, LOG, LEDGER, STEP, UPDATE, REVISION, OUTBOX, COUNT, CREATE, VARIABLE }).map(
    ([name, text]) => [name, named(name, text)]
  )
)

const transaction = async (work) => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const result = await work(client)
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

const q = statements
const update = async (client, recordId, value) => {
  const nowDate = new Date()
  const record = (await q.RECORD(client, [recordId])).rows[0]
  const cells = { ...record.cells, 2: [{ value }] }
  const revision = record.revision + 1
  await q.UPDATE(client, [recordId, cells, revision, nowDate, author])
  await q.REVISION(client, [
    recordId,
    revision,
    "update",
    nowDate,
    author,
    { 2: { from: record.cells["2"], to: cells["2"] } }
  ])
  const payload = { revision, author, cells, previous: record.cells, changed: [2], title: record.title }
  await q.OUTBOX(client, ["record.update", recordId, { automation_id: 1, run_id: "1", chain: [1] }, payload, nowDate])
  return { app_record_id: record.app_record_id, cells: record.cells }
}
const create = async (client, value) => {
  const nowDate = new Date()
  const number = (await q.COUNT(client, [])).rows[0].last_app_record_id
  const cells = { 3: [{ value }] }
  const recordId = (await q.CREATE(client, [number, value, cells, nowDate, author])).rows[0].record_id
  await q.REVISION(client, [recordId, 0, "creation", nowDate, author, { 3: { from: [], to: cells["3"] } }])
  await q.OUTBOX(client, [
    "record.create",
    recordId,
    null,
    { revision: 0, author, cells, changed: [3], title: value },
    nowDate
  ])
}
const begin = async (client, eventId, cursor) => {
  const nowDate = new Date()
  const completedOn = cursor === null ? nowDate : null
  const runId = (
    await q.RUN(client, [eventId, completedOn === null ? "running" : "completed", cursor, nowDate, completedOn])
  ).rows[0].run_id
  await q.TRIGGER(client, [runId, { type: "record_created", record: { record_id: eventId } }])
  await q.LOG(client, [runId, 1, "trigger", "Record created", null, null, null, nowDate])
  return runId
}
const record = async (client, runId, seq, path, iteration, label) => {
  const nowDate = new Date()
  await q.STEP(client, [runId, { path, iteration: [iteration] }])
  await q.LEDGER(client, [runId, path, String(iteration), "a".repeat(36), nowDate])
  await q.LOG(client, [
    runId,
    seq,
    "action",
    label,
    "a".repeat(36),
    1,
    { inputs: {}, outputs: {}, duration_ms: 1 },
    nowDate
  ])
}

/** Runs an automation of one step, from event to committed run with log, in one transaction. */
const stamp = (recordId) =>
  transaction(async (client) => {
    const runId = await begin(client, recordId, null)
    await update(client, recordId, 7)
    await record(client, runId, 2, "0", 0, "Update record")
  })
/** A filter that does not match: the record is looked at, nothing is written. */
const checkFilter = async (recordId) => {
  const { rows } = await pool.query({ name: "look", text: RECORD.replace("FOR UPDATE", ""), values: [recordId] })
  return rows[0].cells["1"][0].value === "never"
}

let doneCount = 0
let utils
const firstRuns = new Map()
if (kinds.has("graphile")) {
  const jobsPool = new pg.Pool({ connectionString, max: CONNECTIONS })
  jobsPool.on("error", () => undefined)
  jobsPool.on("connect", (client) => client.on("error", () => undefined))
  utils = await makeWorkerUtils({ pgPool: jobsPool })
  await utils.migrate()
  await run({
    pgPool: jobsPool,
    noHandleSignals: true,
    preset: {
      worker: {
        concurrentJobs: 16,
        pollInterval: 1000,
        localQueue: { size: 200 },
        completeJobBatchDelay: 5,
        failJobBatchDelay: 5
      }
    },
    logger: new Logger(() => () => undefined),
    taskList: {
      stamp: async (recordId) => {
        await stamp(recordId)
        doneCount++
      },
      look: async (recordId) => {
        await checkFilter(recordId)
        doneCount++
      },
      first: async (recordId) => {
        await stamp(recordId)
        firstRuns.get(recordId)?.(performance.now())
      }
    }
  })
}

const seed = async (count) => {
  const { rows } = await pool.query(
    `INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
     SELECT 1, 1, (SELECT coalesce(max(app_record_id), 0) FROM records WHERE app_id = 1) + n, 'row ' || n,
       jsonb_build_object('1', jsonb_build_array(jsonb_build_object('value', 'row ' || n))), now(), $2
     FROM generate_series(1, $1::int) AS n RETURNING record_id`,
    [count, author]
  )
  return rows.map(({ record_id }) => record_id)
}

const queued = (task) => async (count) => {
  const ids = await seed(count)
  const goal = doneCount + count
  const startMillis = performance.now()
  await pool.query(
    `SELECT 1 FROM graphile_worker.add_jobs(ARRAY(SELECT ROW($2::text, to_json(id), NULL, now(), 25, NULL, 0, NULL)::graphile_worker.job_spec
       FROM unnest($1::bigint[]) AS id))`,
    [ids, task]
  )
  while (doneCount < goal) await sleep(10)
  return { rate: (count * 1000) / (performance.now() - startMillis) }
}

const latencies = async (count, pause) => {
  const durations = []
  for (const id of await seed(count)) {
    const startMillis = performance.now()
    const runStart = new Promise((resolve) => firstRuns.set(id, resolve))
    await utils.addJob("first", id)
    durations.push((await runStart) - startMillis)
    await sleep(pause)
  }
  durations.sort((a, b) => a - b)
  return { p50: durations[Math.floor(durations.length / 2)] }
}

/** The loop in one process, one transaction a step. */
const loop = async (count) => {
  const [recordId] = await seed(1)
  const runId = await transaction((client) => begin(client, recordId, { path: "0", iteration: [] }))
  const startMillis = performance.now()
  let seq = 2
  for (let i = 0; i < count; i++) {
    await transaction(async (client) => {
      await create(client, `item ${i}`)
      await record(client, runId, seq++, "0.body.0", i, "Create record")
    })
    await transaction(async (client) => {
      await update(client, recordId, i)
      await record(client, runId, seq++, "0.body.1", i, "Update record")
    })
    await transaction(async (client) => {
      await q.VARIABLE(client, [runId, i, JSON.stringify(`item ${i}`)])
      await record(client, runId, seq++, "0.body.2", i, "Set variable")
    })
  }
  return { seconds: (performance.now() - startMillis) / 1000 }
}

const dbos = {}
if (kinds.has("dbos")) {
  DBOS.setConfig({
    name: "peer",
    systemDatabaseUrl: connectionString,
    systemDatabasePoolSize: CONNECTIONS,
    logLevel: "error"
  })
  const stampWorkflow = DBOS.registerWorkflow(
    async (recordId) => {
      await DBOS.runStep(() => transaction((client) => update(client, recordId, 7)), { name: "stamp" })
    },
    { name: "stamp" }
  )
  const lightWorkflow = DBOS.registerWorkflow(
    async (steps) => {
      let sum = 0
      for (let i = 0; i < steps; i++) sum += await DBOS.runStep(async () => i, { name: "light" })
      return sum
    },
    { name: "light" }
  )
  const loopWorkflow = DBOS.registerWorkflow(
    async (recordId, count) => {
      for (let i = 0; i < count; i++) {
        await DBOS.runStep(() => transaction((client) => create(client, `item ${i}`)), { name: "create" })
        await DBOS.runStep(() => transaction((client) => update(client, recordId, i)), { name: "update" })
        await DBOS.runStep(async () => `item ${i}`, { name: "variable" })
      }
    },
    { name: "loop" }
  )
  dbos.stamp = (...args) => stampWorkflow(...args)
  dbos.light = (...args) => lightWorkflow(...args)
  dbos.loop = (...args) => loopWorkflow(...args)
  await DBOS.launch()
}
const timed = async (work) => {
  const startMillis = performance.now()
  await work()
  return (performance.now() - startMillis) / 1000
}
const works = {
  stamp: queued("stamp"),
  look: queued("look"),
  latency: latencies,
  loop,
  "dbos-stamp": async (count) => {
    const ids = await seed(count)
    const seconds = await timed(() =>
      Promise.all(
        Array.from({ length: 16 }, async () => {
          for (let id = ids.pop(); id !== undefined; id = ids.pop()) await dbos.stamp(id)
        })
      )
    )
    return { rate: count / seconds }
  },
  "dbos-light": async (count) => ({ seconds: await timed(() => dbos.light(count)) }),
  "dbos-loop": async (count) => {
    const [id] = await seed(1)
    return { seconds: await timed(() => dbos.loop(id, count)) }
  }
}

serve(works)
