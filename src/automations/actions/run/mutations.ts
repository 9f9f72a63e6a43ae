// In whose name a step writes, and whether that one may (developer-api.md 7.6 **M**, 2.3; decisions A1).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Access, type Level } from "../../../accounts/Access.ts"
import type { Author, CallerShape, OrgRole } from "../../../accounts/Caller.ts"
import type { Write } from "../../../records/record.ts"
import { inTransaction } from "../../../records/transact.ts"
import type { IdOrReference } from "../../Definition.ts"
import { gather, inMoment } from "../../engine/gather.ts"
import { automationAuthor, type MutationConfig, type Step, StepFailed, switchesOf } from "../../engine/Step.ts"
import { Values } from "../../engine/Values.ts"
import { refusing } from "./define.ts"

/** A question about a right; equal ones have the same key. */
interface Check {
  readonly key: string
  readonly caller: CallerShape
  readonly appId: number
  readonly level: Level
}

export const levels = { view: 1, comment: 2, edit: 3, administer: 5 } as const satisfies Record<string, Level>

export class Mutations extends Context.Service<
  Mutations,
  {
    /** Fails unless the owner and the author reach the app with the level. */
    readonly write: (
      step: Step<MutationConfig>,
      appId: number,
      level: Level
    ) => Effect.Effect<Write, StepFailed | SqlError>
    /** The owner's own right, for steps that read. */
    readonly mayRead: (step: Step, appId: number) => Effect.Effect<boolean>
  }
>()("millrace/automations/actions/Mutations") {
  static readonly layer = Layer.effect(
    Mutations,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const access = yield* Access
      const values = yield* Values

      const author = Effect.fnUntraced(function* (step: Step<MutationConfig>) {
        const { author_id } = step.config
        if (author_id === undefined) return null
        // A reference to nobody, or to an automation, leaves the change with this automation.
        const [userId] = yield* values.ids([author_id as IdOrReference], step)
        return userId ?? null
      })

      const caller = Effect.fnUntraced(function* (step: Step, userId: number) {
        const [user] = yield* sql<{ person_id: number; role: OrgRole }>`
          SELECT person_id, role FROM users
          WHERE user_id = ${userId} AND org_id = ${step.run.org_id} AND status <> 'removed'`
        if (user === undefined) return yield* new StepFailed({ message: `The author, user ${userId}, does not exist.` })
        const shown: Author = { type: "user", user_id: userId }
        return { ...step.caller, userId, personId: user.person_id, role: user.role, author: shown } as CallerShape
      })

      /** Runs of one owner ask the same at the same moment. */
      const asked = gather((checks: ReadonlyArray<Check>) =>
        Effect.map(
          Effect.forEach(new Map(checks.map((check) => [check.key, check])).values(), ({ appId, caller, key, level }) =>
            Effect.map(Effect.result(access.check(caller, "app", appId, level)), (answer) => [key, answer] as const)
          ),
          (answers) => {
            const byKey = new Map(answers)
            return new Map(checks.map((check) => [check, byKey.get(check.key)!]))
          }
        )
      )
      const allowed = Effect.fnUntraced(function* (caller: CallerShape, appId: number, level: Level) {
        const key = `${caller.userId} ${caller.orgId} ${caller.role} ${appId} ${level}`
        if (yield* inTransaction(sql)) {
          return yield* inMoment(`access ${key}`, Effect.asVoid(access.check(caller, "app", appId, level)))
        }
        const check: Check = { key, caller, appId, level }
        return yield* Effect.asVoid(Effect.fromResult((yield* asked([check])).get(check)!))
      })

      const write = Effect.fnUntraced(function* (step: Step<MutationConfig>, appId: number, level: Level) {
        yield* refusing(allowed(step.caller, appId, level))
        const userId = yield* author(step)
        if (userId !== null) {
          const user = yield* caller(step, userId)
          yield* access
            .check(user, "app", appId, level)
            .pipe(
              Effect.mapError(
                () => new StepFailed({ message: `The author, user ${userId}, may not do this in app ${appId}.` })
              )
            )
        }
        const shown: Author = userId === null ? automationAuthor(step) : { type: "user", user_id: userId }
        return {
          caller: step.caller,
          author: shown,
          switches: switchesOf(step.config),
          depth: step.run.depth,
          cause: step.cause
        } satisfies Write
      })

      return Mutations.of({
        write,
        mayRead: (step, appId) => Effect.isSuccess(access.check(step.caller, "app", appId, levels.view))
      })
    })
  )
}
