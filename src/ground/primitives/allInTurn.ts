// Work of several parts of which none keeps the others from their turn (service.md 8): they follow each other whatever becomes of
// one, and the first failure is told once all have had theirs.
import { Effect, Record } from "effect"

type AnyParts = Record<string, Effect.Effect<any, any, any>>
type Done<Parts extends AnyParts> = Effect.Effect<
  { readonly [Name in keyof Parts]: Effect.Success<Parts[Name]> },
  Effect.Error<Parts[keyof Parts]>,
  Effect.Services<Parts[keyof Parts]>
>

export const allInTurn = <const Parts extends AnyParts>(parts: Parts): Done<Parts> =>
  Effect.flatMap(Effect.all(Record.map(parts, Effect.exit)), (exits) => Effect.all(exits)) as Done<Parts>
