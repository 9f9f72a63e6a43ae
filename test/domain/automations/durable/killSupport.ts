// Workers as processes that are killed in the middle of what they do.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { Client, Connection } from "@temporalio/client"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { compileCache, freePort } from "../../../../bin/parts/os.js"
import { type RunIdentity, runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { asService, ddl, urlOf } from "../../../support/database.ts"
import { eventually } from "../../../support/eventually.ts"
import { program } from "../../../support/programs.ts"
import { temporalAddress } from "../../../support/temporal.ts"

/** A process with the worker role on the test's database; killed with the scope. */
export const startWorker = Effect.fnUntraced(function* (namespace: string, more: Record<string, string> = {}) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ name: string }>`SELECT current_database() AS name`
  const port = yield* Effect.promise(() => freePort())
  return yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [program("main")], {
        env: {
          ...compileCache(),
          ...process.env,
          // The test runner sets one of its own.
          BASE_URL: `http://127.0.0.1:${port}`,
          ROLE: "worker",
          PORT: String(port),
          LOG_LEVEL: "error",
          DATABASE_URL: asService(urlOf(inject("databaseUrl"), row!.name)),
          SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
          TEMPORAL_ADDRESS: temporalAddress(),
          TEMPORAL_NAMESPACE: namespace,
          // As of the API beside it: they share the windows.
          RATE_BUDGET: "1000000",
          SCRIPT_SPARE_PROCESSES: "0",
          ...more
        },
        stdio: ["ignore", "inherit", "inherit"]
      })
    ),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  )
})

export const kill = (child: ReturnType<typeof spawn>) =>
  Effect.promise(async () => {
    const exitEvent = once(child, "exit")
    child.kill("SIGKILL")
    await exitEvent
  })

const PAUSE = 727_990

/** A run that makes records of the app comes no further than `pauses` says, as long as somebody holds the lock. */
export const makePauses = Effect.fnUntraced(function* (appId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* ddl(
    `CREATE TABLE pauses_${appId} AS SELECT 0 AS at_record`,
    `CREATE FUNCTION pause_${appId}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM records WHERE app_id = ${appId}) >= (SELECT at_record FROM pauses_${appId}) THEN
      PERFORM pg_advisory_xact_lock_shared(${PAUSE});
    END IF;
    RETURN NEW; END $$`,
    `CREATE TRIGGER pause_${appId} BEFORE INSERT ON records FOR EACH ROW
    WHEN (NEW.app_id = ${appId}) EXECUTE FUNCTION pause_${appId}()`
  )
  const paused = sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${PAUSE} AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  /** A worker that goes on until there are so many records, and is killed there. */
  return Effect.fnUntraced(function* (namespace: string, atRecord: number) {
    yield* sql`UPDATE ${sql(`pauses_${appId}`)} SET at_record = ${atRecord}`
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SELECT pg_advisory_xact_lock(${PAUSE})`
        const worker = yield* startWorker(namespace)
        yield* eventually("it stands in the middle", paused, (rows) => rows.length > 0)
        yield* kill(worker)
      })
    )
  })
})

/** A worker that goes on until it inserts a certain row, and is killed there. */
export const pausesAt = Effect.fnUntraced(function* (table: string, row: string) {
  const sql = yield* SqlClient.SqlClient
  const name = `pause_${table}`
  yield* ddl(
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_xact_lock_shared(${PAUSE + 1}); RETURN NEW; END $$`,
    `CREATE OR REPLACE TRIGGER ${name} BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${row}) EXECUTE FUNCTION ${name}()`
  )
  const paused = sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${PAUSE + 1} AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  /** Rolled back: Postgres finishes a statement that it was sent before it looks whether its sender is still there. */
  const rolledBack = Effect.andThen(
    sql`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${PAUSE + 1} AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    eventually("its statement is gone", paused, (rows) => rows.length === 0)
  )
  /** @param meanwhile while the worker is at work @param after of what it has sent, once it is dead */
  return <E = never, R = never>(
    namespace: string,
    meanwhile?: Effect.Effect<void, E, R>,
    after: "as it comes" | "rolled back" = "as it comes"
  ) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SELECT pg_advisory_xact_lock(${PAUSE + 1})`
        const worker = yield* startWorker(namespace)
        if (meanwhile !== undefined) yield* meanwhile
        yield* eventually("it stands there", paused, (rows) => rows.length > 0)
        yield* kill(worker)
        if (after === "rolled back") yield* rolledBack
      })
    )
})

/** Workers stand where a begun delay has given its place back, and its workflow is still to be started. */
export const stopsBetween = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* Effect.promise(() => Connection.connect({ address: temporalAddress() }))
  yield* Effect.addFinalizer(() => Effect.promise(() => connection.close()))
  // A cancel and whoever clears up give places back too, in statements of other beginnings.
  yield* ddl(
    `CREATE OR REPLACE FUNCTION pause_start() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF current_query() LIKE '%WITH run AS MATERIALIZED (%DELETE FROM run_places%' THEN PERFORM pg_advisory_xact_lock_shared(${PAUSE + 2}); END IF;
      RETURN NULL; END $$`,
    `CREATE OR REPLACE TRIGGER pause_start BEFORE DELETE ON run_places FOR EACH STATEMENT EXECUTE FUNCTION pause_start()`
  )
  const pausedLocks = sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${PAUSE + 2} AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  /** On a connection of its own: what happens meanwhile is committed. */
  const whileLocked = Effect.fnUntraced(function* <A, E, R>(meanwhile: Effect.Effect<A, E, R>) {
    const lockConnection = yield* sql.reserve
    yield* lockConnection.execute(`SELECT pg_advisory_lock(${PAUSE + 2})`, [], undefined)
    const goOn = Effect.orDie(lockConnection.execute(`SELECT pg_advisory_unlock(${PAUSE + 2})`, [], undefined))
    return yield* Effect.ensuring(meanwhile, goOn)
  })
  const workflowEnds = (namespace: string, run: RunIdentity) => {
    const client = new Client({ connection, namespace })
    const status = Effect.promise(() =>
      client.workflow
        .getHandle(runWorkflowId(run))
        .describe()
        .then(
          (one) => one.status.name,
          () => "none"
        )
    )
    return eventually("no open workflow", status, (name) => name !== "RUNNING")
  }
  return {
    held: whileLocked,
    reached: eventually("it stands there", pausedLocks, (rows) => rows.length > 0),
    workflowEnds
  }
})
