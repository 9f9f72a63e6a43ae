// Decides which epoch this installation is in, and when the next one begins: if the database is not the one that it was (found in it
// alone), or lacks what Temporal knows. All of it under a lock of one row: a restore begins one epoch, however many processes start.
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { transact } from "../../platform/sql/transact.ts"
import { isTransient } from "../../platform/sql/transientErrors.ts"
import { type EpochName, isSameEpoch, shownEpoch } from "../temporal/Epoch.ts"
import { completed, type Facts, makeFacts, whyOther } from "./databaseFacts.ts"
import {
  epochOfRow,
  type InstallationRow,
  isBehind,
  makeInstallationRow,
  type TemporalMark,
  whyReplaced
} from "./installationRow.ts"
import { type LogPosition, logPosition, whyLost } from "./logPosition.ts"

/** Result of comparing the marks of Temporal and of the database. */
type Comparison =
  /** Mark to write to Temporal. */
  | { readonly type: "fits"; readonly tell: TemporalMark }
  /** Temporal has seen more than a database that has not changed: another database works on it. */
  | { readonly type: "taken"; readonly by: TemporalMark }
  /** Outcome if the database is not the one that this process began with. */
  | { readonly type: "over" }

export interface InstallationShape {
  readonly row: Effect.Effect<InstallationRow, SqlError>
  /** Reason why this is not the database that this process began with, or is in another epoch; null while it is the same. */
  readonly changed: Effect.Effect<string | null, SqlError>
  /** Reason why the database under this process has lost commits, which no later check would show; null while it has not. */
  readonly lost: Effect.Effect<string | null, SqlError>
  /** Begins an epoch at the start of a process if the database itself shows that it was restored. Returns the epoch in force. */
  readonly settle: Effect.Effect<EpochName, SqlError>
  /** @param first the process has not believed anything yet: if Temporal is ahead, the database must be an older one */
  readonly compare: (mark: TemporalMark | null, first: boolean) => Effect.Effect<Comparison, SqlError>
  /** Writes the mark while no other process does, unless one has gone on from it; returns the epoch in force. */
  readonly tell: <E>(mark: TemporalMark, write: Effect.Effect<void, E>) => Effect.Effect<EpochName, E | SqlError>
  /** @param from begins only if this epoch is still in force; null: another one has begun already */
  readonly begin: (reason: string, from?: EpochName) => Effect.Effect<EpochName | null, SqlError>
}

export class Installation extends Context.Service<Installation, InstallationShape>()("millrace/epoch/Installation") {
  static readonly layer = Layer.effect(
    Installation,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog
      const { databaseStandbys } = yield* AppConfig
      const failsOver = databaseStandbys === "synchronous"
      const facts = yield* makeFacts(sql, failsOver)
      const rows = makeInstallationRow(sql)
      const inOne = transact(sql)
      /** Facts of the database as this process first saw them. */
      const firstSeen: { facts: Facts; log: LogPosition | null; mark: number; epoch: EpochName | null } = {
        facts: yield* facts,
        log: null,
        mark: 0,
        epoch: null
      }

      const beginEpoch = Effect.fnUntraced(function* (row: InstallationRow, why: string, mark: TemporalMark | null) {
        const currentFacts = yield* facts
        const epoch = yield* rows.begin(row, currentFacts, why, mark)
        const formerEpoch = shownEpoch(epochOfRow(row))
        yield* audit.record({
          event: "installation.epoch_began",
          details: { epoch: shownEpoch(epoch), before: formerEpoch, reason: why }
        })
        yield* Effect.logWarning(`a new epoch of the installation has begun: ${why}`, {
          epoch: shownEpoch(epoch),
          before: formerEpoch
        })
        return epoch
      })

      const settleEpoch = inOne(
        Effect.gen(function* () {
          const row = yield* rows.held
          const currentFacts = yield* facts
          const why = whyReplaced(row, currentFacts)
          if (why !== null) return { epoch: yield* beginEpoch(row, why, null), mark: row.mark }
          const completedFacts = completed(row.facts, currentFacts)
          if (completedFacts !== row.facts) yield* rows.keepFacts(completedFacts)
          return { epoch: epochOfRow(row), mark: row.mark }
        })
      ).pipe(
        Effect.map(({ epoch, mark }) => {
          firstSeen.epoch = epoch
          firstSeen.mark = Math.max(firstSeen.mark, mark)
          return epoch
        })
      )

      const replaced = (row: InstallationRow, now: Facts, mark: number): string | null =>
        whyOther(firstSeen.facts, now) ?? whyReplaced(row, now) ?? (row.mark < mark ? "the database is older" : null)

      const changed = Effect.gen(function* () {
        // Reads the epoch before the row: a concurrent `compare` may change it until the facts are here.
        const { epoch, mark } = firstSeen
        const row = yield* rows.read
        const why = replaced(row, yield* facts, mark)
        if (why !== null) return why
        firstSeen.mark = Math.max(firstSeen.mark, row.mark)
        if (epoch === null || row.epoch_key === epoch.key || row.epoch_key === firstSeen.epoch?.key) return null
        return `the epoch ${shownEpoch(epochOfRow(row))} has begun: ${row.reason}`
      })

      const lost = Effect.gen(function* () {
        if (!failsOver) return null
        const currentPosition = yield* Effect.catchIf(
          logPosition(sql),
          (error) => !isTransient(error),
          () => Effect.succeed(null)
        )
        if (currentPosition === null) return null
        const why = firstSeen.log === null ? null : whyLost(firstSeen.log, currentPosition)
        if (why === null) firstSeen.log = currentPosition
        return why
      })

      const compared = (mark: TemporalMark | null, first: boolean) =>
        inOne(
          Effect.gen(function* (): Effect.fn.Return<Comparison, SqlError> {
            const row = yield* rows.held
            if (!first && replaced(row, yield* facts, firstSeen.mark) !== null) return { type: "over" }
            if (mark !== null && isBehind(row, mark)) {
              if (!first) return { type: "taken", by: mark }
              const why = `Temporal knows of ${shownEpoch(mark.epoch)}, mark ${mark.mark}; the database is older`
              yield* beginEpoch(row, why, mark)
            } else {
              const stranger = mark !== null && !isSameEpoch(mark.epoch, epochOfRow(row))
              const number = stranger && !row.told ? Math.max(row.epoch, mark.epoch.number + 1) : row.epoch
              yield* rows.advance(number, Math.max(row.mark, mark?.mark ?? 0) + 1)
            }
            const currentRow = yield* rows.read
            return { type: "fits", tell: { epoch: epochOfRow(currentRow), mark: currentRow.mark } }
          })
        )

      const compare: InstallationShape["compare"] = Effect.fnUntraced(function* (mark, first) {
        // The first comparison accepts whatever epoch it finds, so another epoch is no surprise until then.
        if (first) firstSeen.epoch = null
        const epochComparison = yield* compared(mark, first)
        if (epochComparison.type === "fits") {
          firstSeen.mark = Math.max(firstSeen.mark, epochComparison.tell.mark)
          if (first) firstSeen.epoch = epochComparison.tell.epoch
        }
        return epochComparison
      })

      const tell: InstallationShape["tell"] = (mark, write) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const row = yield* rows.held
            const epoch = epochOfRow(row)
            if (row.mark === mark.mark && isSameEpoch(epoch, mark.epoch)) {
              yield* write
              yield* rows.tell
            }
            return epoch
          })
        )

      const begin: InstallationShape["begin"] = (reason, from) =>
        inOne(
          Effect.gen(function* () {
            const row = yield* rows.held
            if (from !== undefined && !isSameEpoch(epochOfRow(row), from)) return null
            return yield* beginEpoch(row, reason, null)
          })
        )

      return Installation.of({ row: rows.read, changed, lost, settle: settleEpoch, compare, tell, begin })
    })
  ).pipe(Layer.provide(AuditLog.layer))

  /** Checks the database before anything in it is believed. For processes of the service. */
  static readonly layerSettled = Layer.effectDiscard(Effect.flatMap(Installation, ({ settle }) => settle)).pipe(
    Layer.provideMerge(Installation.layer)
  )
}
