// Enforces the storage quota of an organization's files (decisions A23). The database counts every file that is added or removed
// (0017_storage); this module compares the sum with the quota. Over the quota every further file is rejected, whoever sends it.
import { Context, Effect, Layer, Schema, Struct } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AppConfig } from "../../../platform/config/Config.ts"
import { Conflict } from "../../../platform/primitives/errors.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"

/** Bytes of a megabyte, as for the limit of multipart bodies. */
const MEGABYTE = 1_000_000
/** Bytes of a request in addition to files and fields: boundaries, headers of parts. */
const FRAMING = 65_536

export const Usage = Schema.Struct({
  org_id: Schema.Int,
  name: Schema.String,
  used_bytes: Schema.Int,
  quota_megabytes: Schema.Int
})
export type Usage = typeof Usage.Type

const Used = Usage.mapFields(Struct.pick(["used_bytes", "quota_megabytes"]))

export class Storage extends Context.Service<
  Storage,
  {
    /**
     * Call it before reading a body that may contain files: fails if the quota has less left than the body's announced length, plus fields
     * of at most `fields` bytes. Returns the maximum body length that is still worth reading.
     */
    readonly admit: (
      orgId: number,
      contentLength: string | undefined,
      fields?: number
    ) => Effect.Effect<number, Conflict>
    /** Call it after the write of files, near the end of its transaction: their count blocks other writers of the organization. */
    readonly check: (orgId: number) => Effect.Effect<void, Conflict | SqlError>
    /** Storage of every organization, for the operator. */
    readonly usage: Effect.Effect<ReadonlyArray<Usage>>
  }
>()("millrace/records/Storage") {
  static readonly layer = Layer.effect(
    Storage,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { storageMegabytes } = yield* AppConfig
      const columns = sql`coalesce(s.bytes, 0)::bigint AS used_bytes,
        coalesce((o.limits ->> 'storage_megabytes')::bigint, ${storageMegabytes}::bigint) AS quota_megabytes`
      const tables = sql`organizations o LEFT JOIN organization_storage s USING (org_id)`

      const usageOf = Effect.fnUntraced(function* (orgId: number) {
        const row = yield* rowOf(Used)(sql`
          SELECT ${columns} FROM ${tables} WHERE o.org_id = ${orgId}`)
        const { quota_megabytes = 0, used_bytes = 0 } = row ?? {}
        const full = new Conflict({
          message: `The organization's files may take ${quota_megabytes} MB in all (storage quota); this would be more.`
        })
        return { full, left: quota_megabytes * MEGABYTE - used_bytes }
      })

      const admit = Effect.fn("Storage.admit")(function* (
        orgId: number,
        contentLength: string | undefined,
        fields = 0
      ) {
        const { full, left } = yield* usageOf(orgId)
        const most = Math.max(0, left) + fields + FRAMING
        return Number(contentLength ?? 0) > most ? yield* full : most
      }, orSqlDefect)

      const check = Effect.fnUntraced(function* (orgId: number) {
        const { full, left } = yield* usageOf(orgId)
        if (left < 0) return yield* full
      })

      const usage = rowsOf(Usage)(sql`SELECT o.org_id, o.name, ${columns} FROM ${tables} ORDER BY o.org_id`).pipe(
        orSqlDefect
      )

      return Storage.of({ admit, check, usage })
    })
  )
}
