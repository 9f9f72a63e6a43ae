// The ring of keys (decisions P11): which key holds what, a new one, everything under the newest, an old one retired. Keys are never
// shown, but for a new one that has nowhere to be kept. docs/operations.md has the order of a change.
import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { enter, leave, needed } from "../../platform/sealing/KeyRegister.ts"
import { count, reseal } from "../../platform/sealing/Reseal.ts"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import { addKey, dropKey } from "./keyFile.ts"
import { failWith, json, print } from "./output.ts"
import { sealedColumns } from "./sealedColumns.ts"

/** Ids with their values by place, and whether ring and database have them. */
const overview = Effect.gen(function* () {
  const { ring } = yield* Secrets
  const register = yield* needed
  const counts = yield* count(sealedColumns, register.unmarked ?? ring[0].id)
  const ids = new Set([
    ...ring.map(({ id }) => id),
    ...register.needed.map(({ id }) => id),
    ...counts.flatMap(({ values }) => [...values.keys()])
  ])
  return [...ids].map((id) => {
    const columnCounts = counts.flatMap(({ column, table, values }) =>
      values.has(id) ? [[`${table}.${column}`, values.get(id)!] as const] : []
    )
    const ringIndex = ring.findIndex((key) => key.id === id)
    return {
      key: id,
      place_in_ring: ringIndex < 0 ? null : ringIndex + 1,
      needed: register.needed.some((key) => key.id === id),
      values: columnCounts.reduce((sum, [, n]) => sum + n, 0),
      where: Object.fromEntries(columnCounts)
    }
  })
})

const listCommand = Command.make("list", { json }, ({ json }) =>
  Effect.flatMap(overview, (keys) => print(json, keys))
).pipe(Command.withDescription("Ids of the keys, their place in the ring and how many values each encrypts"))

const newCommand = Command.make("new", { json }, ({ json }) =>
  Effect.flatMap(addKey, (added) => print(json, added))
).pipe(
  Command.withDescription(
    "Put a new key in front of the ring that the data directory keeps; print it where SECRET_KEY is set"
  )
)

const rotateCommand = Command.make("rotate", { json }, ({ json }) =>
  Effect.gen(function* () {
    const { ring } = yield* Secrets
    yield* enter(ring)
    const resealedColumns = yield* reseal(sealedColumns, ({ column, rewritten, table }) =>
      Console.error(`${table}.${column}: ${rewritten} encrypted anew`)
    )
    yield* print(json, [...resealedColumns])
    const unreadable = resealedColumns.reduce((sum, column) => sum + column.unreadable, 0)
    if (unreadable > 0)
      return yield* failWith({ message: `No key of the ring opens ${unreadable} value(s); they stay as they are.` })
  })
).pipe(Command.withDescription("Encrypt everything under the newest key, beside the running service; again to go on"))

const retireCommand = Command.make("retire", { key: Argument.String("key"), json }, ({ key, json }) =>
  Effect.gen(function* () {
    const { ring } = yield* Secrets
    yield* enter(ring)
    const register = yield* needed
    if (key === ring[0].id) return yield* failWith({ message: `${key} is the newest key of the ring: it encrypts.` })
    const knownKey = register.needed.find(({ id }) => id === key) ?? ring.find(({ id }) => id === key)
    if (knownKey === undefined) return yield* failWith({ message: `There is no key ${key}: see \`key list\`.` })
    const counts = yield* count(sealedColumns, register.unmarked ?? ring[0].id)
    const remainingCount = counts.reduce((sum, { values }) => sum + (values.get(key) ?? 0), 0)
    if (remainingCount > 0)
      return yield* failWith({ message: `${key} still encrypts ${remainingCount} value(s): \`key rotate\` first.` })
    yield* leave(knownKey.fingerprint, ring)
    yield* print(json, { key, retired: true, ...(yield* dropKey(knownKey.fingerprint)) })
  })
).pipe(Command.withDescription("Let processes start without a key that encrypts nothing any more"))

const key = Command.make("key").pipe(
  Command.withDescription("The keys that encrypt stored secrets"),
  Command.withSubcommands([listCommand, newCommand, rotateCommand, retireCommand])
)

export const keyCommands = [key] as const
