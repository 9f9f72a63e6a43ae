// Makes the Postgres pool: int8 as number, names as the database has them (snake_case, like the API), statements that share a connection.
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer, type Redacted } from "effect"
import { withWatchedCommits } from "./Changes.ts"
import { databaseMetrics } from "./databaseMetrics.ts"
import { withDirectAddress } from "./directAddress.ts"
import { registry } from "./Int8.ts"
import { withCountedUse } from "./poolUse.ts"

export interface PoolOptions {
  readonly url: Redacted.Redacted
  /** Address of Postgres itself, if `url` leads through a pooler. */
  readonly directUrl?: Redacted.Redacted
  readonly maxConnections: number
  readonly applicationName: string
  /**
   * Statements that may follow each other on a connection without waiting for answers. The pool fills one connection before it takes the
   * next, and each statement waits for all before it. Many are good for short reads, which share a round trip, and bad for commits, which
   * then wait for the disk one after another instead of together. A transaction has a connection alone.
   */
  readonly statementsAtOnce?: number
  /**
   * Plans each statement once for a connection (`PLANNED_ONCE`), for a pool whose statements have one good plan. Where lists and limits are
   * parameters Postgres otherwise plans anew each time, which costs a short statement up to ten times its work. Not through a pooler, which
   * refuses the start-up parameters.
   */
  readonly plansOnce?: boolean
  /** Role that each session works as, if it is not the one that signs in. Not through a pooler, either. */
  readonly role?: string
  /** Time-out of connecting, in seconds; 5 unless given. */
  readonly connectSeconds?: number
}

/** Statements that share a connection, sized for pools in which most are short reads. */
const READS_AT_ONCE = 32
/**
 * Largest message accepted from Postgres. A larger one would fail the connection, and every statement that waits on it. A record of 200
 * fields is larger than the driver's own limit (16 MiB), and so is its event, which holds it twice.
 */
const MESSAGE_BYTES = 1024 * 1024 * 1024

/**
 * Start-up parameters for plans that are kept. A queue is empty when most of its statements are planned, so they use an index wherever one
 * serves: otherwise each of thousands of lookups reads the whole table once it is full.
 */
export const PLANNED_ONCE = { plan_cache_mode: "force_generic_plan", enable_seqscan: "off" }

/** Makes a pool under the two tags `PgClient` and `SqlClient`. */
export const layerPool = ({
  applicationName,
  connectSeconds = 5,
  directUrl,
  maxConnections,
  plansOnce = false,
  role,
  statementsAtOnce = READS_AT_ONCE,
  url
}: PoolOptions) =>
  Layer.fresh(
    databaseMetrics(applicationName, maxConnections).pipe(
      Layer.provideMerge(
        PgClient.layerFrom(
          Effect.map(
            PgClient.make({
              url,
              maxConnections,
              applicationName,
              connectTimeout: Duration.seconds(connectSeconds),
              multiplex: statementsAtOnce > 1,
              multiplexConcurrency: statementsAtOnce,
              types: registry,
              maxMessageSize: MESSAGE_BYTES,
              // Statements are short: what Postgres would compile of one takes longer than the statement. A pooler refuses the parameter.
              startupParameters: {
                ...(directUrl === undefined || directUrl === url ? { jit: "off" } : {}),
                ...(plansOnce ? PLANNED_ONCE : {}),
                ...(role === undefined ? {} : { role })
              }
            }),
            (client) =>
              withDirectAddress(
                withCountedUse(withWatchedCommits(client), applicationName, maxConnections),
                directUrl ?? url
              )
          )
        )
      )
    )
  )

/** True if Postgres answers within two seconds. */
export const ping = Effect.flatMap(PgClient.PgClient, (sql) => sql`SELECT 1`).pipe(
  Effect.timeout(Duration.seconds(2)),
  Effect.isSuccess
)
