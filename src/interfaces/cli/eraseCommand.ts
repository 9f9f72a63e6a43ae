// `person erase`: shows what would become of a person's data and, with --yes, carries it out (docs/operations.md, "Erase a person").
import { Effect, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type Erasure, erasePerson, kept } from "../../domain/accounts/personErasure.ts"
import { Email } from "../../platform/primitives/commonSchemas.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { json, print } from "./output.ts"

/** Takes everything back. */
class OnlyShown extends Schema.TaggedError<OnlyShown>()("OnlyShown", { erasure: Schema.Unknown }) {}

export const eraseCommand = Command.make(
  "erase",
  {
    email: Argument.String("email").pipe(Argument.withSchema(Email)),
    yes: Flag.Boolean("yes").pipe(Flag.withDescription("Carry it out; it cannot be undone"), Flag.withDefault(false)),
    json
  },
  ({ email, json, yes }) =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const act = Effect.flatMap(erasePerson(email), (erasure) =>
        yes ? Effect.succeed(erasure) : Effect.fail(new OnlyShown({ erasure }))
      )
      const erasure = yield* sql
        .withTransaction(act)
        .pipe(Effect.catchTag("OnlyShown", ({ erasure }) => Effect.succeed(erasure as Erasure)))
      if (json) return yield* print(true, { erased: yes, ...erasure })
      const { person_id, rows, users } = erasure
      yield* print(false, { erased: yes ? "yes" : "no: this is what --yes would do", person_id, users })
      yield* print(false, [
        ...Object.entries(rows).map(([table, count]) => ({
          table,
          rows: count,
          becomes: "gone, or without what is theirs"
        })),
        ...Object.entries(kept).map(([table, why]) => ({ table, rows: null, becomes: `stays: ${why}` }))
      ])
    })
).pipe(Command.withDescription("Delete a person's data: shows what would go; --yes carries it out, for good"))
