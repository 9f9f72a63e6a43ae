// Operator commands for revisions of automations (developer-api.md 7.3, 7.13): listed, compared place by place, brought back. The owner
// stays, as with `automation apply`, unless another is named (decisions A20).
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { everything } from "../../domain/accounts/Authority.ts"
import { Automations } from "../../domain/automations/definitions/Automations.ts"
import { grantOf } from "./operatorActs.ts"
import { json, print } from "./output.ts"

const id = Argument.Int("automation_id")

const revisions = Command.make("revisions", { id, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const allRevisions = yield* (yield* Automations).revisions(yield* grantOf(id))
    yield* print(json, json ? allRevisions : allRevisions.map(({ created_at, id, name }) => ({ id, created_at, name })))
  })
).pipe(Command.withDescription("List the revisions of an automation, newest first"))

const diff = Command.make(
  "diff",
  { id, from: Argument.String("from_revision_id"), to: Argument.String("to_revision_id"), json },
  ({ from, id, json, to }) =>
    Effect.gen(function* () {
      const changes = yield* (yield* Automations).revisionDiff(yield* grantOf(id), from, to)
      yield* print(
        json,
        json ? changes : changes.map(({ after, before, kind, path }) => ({ kind, path, before, after }))
      )
    })
).pipe(Command.withDescription("Show what differs between two revisions, place by place"))

const restore = Command.make(
  "restore",
  {
    id,
    revision: Argument.String("revision_id"),
    owner: Flag.Int("owner").pipe(
      Flag.withDescription("User whose rights the automation has from now on; without it the owner stays"),
      Flag.optional
    ),
    json
  },
  ({ id, json, owner, revision }) =>
    Effect.gen(function* () {
      const userId = Option.getOrUndefined(owner)
      const belongs = userId === undefined ? "kept" : { userId, reach: everything }
      const grant = yield* grantOf(id, userId)
      const { name, owner_id, version } = yield* (yield* Automations).restore(grant, revision, undefined, belongs)
      yield* print(json, { automation_id: id, name, version, owner_id })
    })
).pipe(Command.withDescription("Save an earlier revision anew"))

export const revisionCommands = [revisions, diff, restore] as const
