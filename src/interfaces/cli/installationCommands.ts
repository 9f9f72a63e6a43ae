// The epoch of the installation (docs/operations.md, "After a restore"): it is found by itself; these show it, and begin one by hand.
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Installation } from "../../engine/epoch/Installation.ts"
import { epochOfRow } from "../../engine/epoch/installationRow.ts"
import { shownEpoch } from "../../engine/temporal/Epoch.ts"
import { json, print } from "./output.ts"

const show = Effect.gen(function* () {
  const installation = yield* Installation
  const row = yield* installation.row
  const replaced = yield* installation.changed
  return {
    epoch: shownEpoch(epochOfRow(row)),
    began_on: row.began_on.toISOString(),
    reason: row.reason,
    mark: row.mark,
    known_to_temporal: row.told,
    ...row.facts,
    ...(replaced === null ? {} : { next_start: `begins a new epoch: ${replaced}` })
  }
})

const showCommand = Command.make("show", { json }, ({ json }) =>
  Effect.flatMap(show, (row) => print(json, row)).pipe(Effect.provide(Installation.layer))
).pipe(Command.withDescription("The epoch, since when and why, and by what a database that is put back is known"))

const MOST = 500
const reason = Flag.String("reason").pipe(
  Flag.withDescription("Why, for the audit log"),
  Flag.map((text) => text.trim().slice(0, MOST)),
  Flag.withDefault("by an operator")
)

const newEpochCommand = Command.make("new-epoch", { reason, json }, ({ json, reason }) =>
  Effect.gen(function* () {
    const installation = yield* Installation
    yield* installation.begin(reason)
    const row = yield* installation.row
    yield* print(json, { epoch: shownEpoch(epochOfRow(row)), mark: row.mark, reason: row.reason })
  }).pipe(Effect.provide(Installation.layer))
).pipe(
  Command.withDescription(
    "Begin a new epoch: nothing that Temporal knows of this installation is believed any more; every process ends, to be started again"
  )
)

const installation = Command.make("installation").pipe(
  Command.withDescription("Which history of the database this installation goes on from"),
  Command.withSubcommands([showCommand, newEpochCommand])
)

export const installationCommands = [installation] as const
