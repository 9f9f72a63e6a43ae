// Runs several parts of a work one after another, each whatever becomes of the others (service.md 8), and fails with the first failure once
// all have run.
import { Effect, Record } from "effect"

type AnyParts = Record<string, Effect.Effect<any, any, any>>
type Done<Parts extends AnyParts> = Effect.Effect<
  { readonly [Name in keyof Parts]: Effect.Success<Parts[Name]> },
  Effect.Error<Parts[keyof Parts]>,
  Effect.Services<Parts[keyof Parts]>
>

export const allInTurn = <const Parts extends AnyParts>(parts: Parts): Done<Parts> =>
  Effect.flatMap(Effect.all(Record.map(parts, Effect.exit)), (exits) => Effect.all(exits)) as Done<Parts>
