// Operator commands that look at a definition before it runs (developer-api.md 7.13): what `validate` says, a dry run, one step alone.
// They do what the owner may, or whoever is named; the run that comes of it stands in `run list`.
import { readFile } from "node:fs/promises"
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Automations } from "../../domain/automations/definitions/Automations.ts"
import { RunRequests } from "../../domain/automations/requests/RunRequests.ts"
import { StepTests } from "../../domain/automations/requests/StepTests.ts"
import { grantOf } from "./operatorActs.ts"
import { failWith, json, print } from "./output.ts"

const id = Argument.Int("automation_id")
const record = Flag.Int("record").pipe(Flag.withDescription("The record that it is about"), Flag.optional)
const user = Flag.Int("user").pipe(
  Flag.withDescription("User with whose rights it is asked for; the owner if left out"),
  Flag.optional
)

/** Drops the members that were not given. */
const pickGiven = <A extends Record<string, Option.Option<unknown>>>(options: A) =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  ) as { readonly [K in keyof A]?: Option.Option.Value<A[K]> }

const accepted = (what: string, automationId: number, run_id: string | null) => ({
  message: `The ${what} is accepted.`,
  look: `run list --automation ${automationId}`,
  run_id
})

const validate = Command.make("validate", { id, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const { errors, warnings = [] } = yield* (yield* Automations).validate(yield* grantOf(id))
    if (json) return yield* print(json, { errors, warnings })
    const rows = [...errors.map((one) => ["error", one] as const), ...warnings.map((one) => ["warning", one] as const)]
    yield* print(
      json,
      rows.map(([kind, { action_id, code, message }]) => ({ kind, code, action_id, message }))
    )
  })
).pipe(Command.withDescription("List the mistakes of an automation, and what it probably does not mean"))

const jsonFrom = <A>(schema: Schema.Codec<A, unknown>, what: string) => {
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(schema))
  return (file: string) =>
    Effect.tryPromise(() => readFile(file, "utf8")).pipe(
      Effect.flatMap(decode),
      Effect.catch(() => failWith({ message: `${file} is no readable file with ${what}.` }))
    )
}
const pinnedFrom = jsonFrom(Schema.Record(Schema.String, Schema.Unknown), "one JSON object")
const payloadFrom = jsonFrom(Schema.Unknown, "JSON")

const simulate = Command.make(
  "simulate",
  {
    id,
    record,
    revision: Flag.String("revision").pipe(Flag.withDescription("An earlier definition"), Flag.optional),
    pinned: Flag.String("pinned").pipe(
      Flag.withDescription("JSON file with answers of outside steps by their ids"),
      Flag.optional
    ),
    payload: Flag.String("payload").pipe(
      Flag.withDescription("JSON file with what its address is to receive"),
      Flag.optional
    ),
    lastPayload: Flag.Boolean("last-payload").pipe(
      Flag.withDescription("What its address received last"),
      Flag.withDefault(false)
    ),
    user,
    json
  },
  ({ id, json, lastPayload, payload, pinned, record, revision, user }) =>
    Effect.gen(function* () {
      const grant = yield* grantOf(id, Option.getOrUndefined(user))
      const answers = Option.isSome(pinned) ? { pinned: yield* pinnedFrom(pinned.value) } : {}
      const received = Option.isSome(payload) ? { webhook_payload: yield* payloadFrom(payload.value) } : {}
      const payloadChoice = lastPayload ? { use_last_received_webhook_payload: true as const } : {}
      const body = {
        ...pickGiven({ record_id: record, revision_id: revision }),
        ...answers,
        ...received,
        ...payloadChoice
      }
      const runId = yield* (yield* RunRequests).simulate(grant, body)
      yield* print(json, accepted("simulation", id, runId))
    })
).pipe(Command.withDescription("Run an automation without effect, an earlier revision too"))

const testStep = Command.make(
  "test-step",
  {
    id,
    action: Argument.String("action_id"),
    record,
    run: Flag.String("run").pipe(Flag.withDescription("An earlier run whose data the step finds"), Flag.optional),
    real: Flag.Boolean("real").pipe(
      Flag.withDescription("The step takes effect; otherwise it is dry"),
      Flag.withDefault(false)
    ),
    user,
    json
  },
  ({ action, id, json, real, record, run, user }) =>
    Effect.gen(function* () {
      const grant = yield* grantOf(id, Option.getOrUndefined(user))
      const body = { action_id: action, real, ...pickGiven({ record_id: record, run_id: run }) }
      const runId = yield* (yield* StepTests).test(grant, body)
      yield* print(json, accepted("test", id, runId))
    })
).pipe(Command.withDescription("Try one step alone, with a record or the data of an earlier run"))

export const tryCommands = [validate, simulate, testStep] as const
