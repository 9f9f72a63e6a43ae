// Determines in whose name a step writes, and checks that user's rights (developer-api.md 7.6 **M**, 2.3; decisions A1, A20), for each
// write anew.
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Author } from "../../../../engine/outbox/Event.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import { inTransaction } from "../../../../platform/sql/transact.ts"
import { currentTraceparent } from "../../../../platform/telemetry/traceContext.ts"
import type { Level } from "../../../accounts/Access.ts"
import { Authorities, type HeldRights } from "../../../accounts/Authority.ts"
import type { Write } from "../../../records/model/RecordRow.ts"
import type { IdOrReference } from "../../model/Definition.ts"
import { Values } from "../../model/Resolver.ts"
import { RunVisibility } from "../../model/RunVisibility.ts"
import { automationAuthor, type MutationConfig, type Step, StepFailed, switchesOf } from "../../model/Step.ts"
import { refusing } from "../runtime.ts"

export const levels = { view: 1, comment: 2, edit: 3, administer: 5 } as const satisfies Record<string, Level>

export class Mutations extends Context.Service<
  Mutations,
  {
    /** Fails unless both the automation's author and the shown author have the access level on the app at this moment. */
    readonly write: (
      step: Step<MutationConfig>,
      appId: number,
      level: Level
    ) => Effect.Effect<Write, StepFailed | SqlError>
    /** Checks the author's own right, for steps that read. */
    readonly mayRead: (step: Step, appId: number) => Effect.Effect<boolean, StepFailed>
  }
>()("millrace/automations/actions/Mutations") {
  static readonly layer = Layer.effect(
    Mutations,
    Effect.gen(function* () {
      const sql = yield* Sql
      const authorities = yield* Authorities
      const visibility = yield* RunVisibility
      const values = yield* Values

      const shownAs = Effect.fnUntraced(function* (step: Step<MutationConfig>) {
        const { author_id } = step.config
        if (author_id === undefined) return null
        // A reference to no user, or to an automation, keeps this automation as the author of the change.
        const [userId] = yield* values.ids([author_id as IdOrReference], step)
        return userId ?? null
      })

      const enough = ({ level: held }: HeldRights, appId: number, level: Level) =>
        held === 0
          ? new StepFailed({ message: `No app with id ${appId}.` })
          : held < level
            ? new StepFailed({ message: "This needs more rights on the app than you have." })
            : Effect.void

      const userMay = Effect.fnUntraced(function* (step: Step, userId: number, appId: number, level: Level) {
        const { automation, authority, run } = step
        const [user] = yield* sql`
          SELECT 1 FROM users WHERE user_id = ${userId} AND org_id = ${run.org_id} AND status <> 'removed'`
        if (user === undefined) return yield* new StepFailed({ message: `The author, user ${userId}, does not exist.` })
        const other = authorities.of({
          ...authority,
          userId,
          author: { type: "user", user_id: userId },
          automationId: automation.automation_id
        })
        yield* Effect.flatMap(other.on(appId), (held) => enough(held, appId, level)).pipe(
          Effect.mapError(
            () => new StepFailed({ message: `The author, user ${userId}, may not do this in app ${appId}.` })
          )
        )
      })

      const write = Effect.fnUntraced(function* (step: Step<MutationConfig>, appId: number, level: Level) {
        const userId = yield* shownAs(step)
        if (userId !== null) yield* userMay(step, userId, appId, level)
        // Rights for a single record outside of a transaction were read when the step began, a moment ago. Inside of a transaction, and for
        // each of many records, they are read anew.
        const usesStepRights = step.collected === null && !(yield* inTransaction(sql))
        const heldRights = yield* usesStepRights ? visibility.on(step, appId) : refusing(step.authority.on(appId))
        yield* enough(heldRights, appId, level)
        const changeAuthor: Author = userId === null ? automationAuthor(step) : { type: "user", user_id: userId }
        return {
          caller: heldRights.caller,
          author: changeAuthor,
          switches: switchesOf(step.config),
          depth: step.run.depth,
          cause: step.cause,
          traceparent: yield* currentTraceparent
        } satisfies Write
      })

      return Mutations.of({
        write,
        mayRead: (step, appId) => Effect.map(visibility.on(step, appId), ({ level }) => level >= levels.view)
      })
    })
  )
}
