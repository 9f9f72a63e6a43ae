// Creates the contexts of runs: the scope for references, the steps, and the published values, which are read once and then kept up to
// date.
import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import { type Acting, Authorities } from "../../accounts/Authority.ts"
import { makeCombinedAuthority } from "../../accounts/combinedAuthority.ts"
import { reachOfAsker } from "../model/askers.ts"
import type { CustomDef } from "../model/Definition.ts"
import { inputsOf } from "../model/declaredInputs.ts"
import type { KnownNow } from "../model/knownRecord.ts"
import { iterationKey } from "../model/Plan.ts"
import { RecordStates } from "../model/RecordStates.ts"
import {
  isDry,
  type LoopFrame,
  type Output,
  type RecordState,
  type RunScope,
  type Variable,
  variableName
} from "../model/RunScope.ts"
import { RunSecrets } from "../model/RunSecrets.ts"
import { RunVisibility, type Viewer } from "../model/RunVisibility.ts"
import type { Step } from "../model/Step.ts"
import { credentialsIn, makeSealed, tokensIn } from "../model/sealedValues.ts"
import { makeWebhookPayloads } from "../model/webhookPayloads.ts"
import { Credits } from "./Credits.ts"
import type { InboxRow } from "./commitStatement.ts"
import { makeLoopItems } from "./loopItems.ts"
import { makePublishedValues, sameDef } from "./publishedValues.ts"
import type { Revision } from "./RevisionCache.ts"
import type { RunContext } from "./RunContext.ts"
import { causeOf, type LoadedRun } from "./RunRow.ts"
import { RunStore } from "./RunStore.ts"
import { newStepOutput, type StepOutput } from "./StepOutput.ts"
import { makeUsedSecrets } from "./usedSecrets.ts"

const readOnce = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let cached: { readonly value: A } | undefined
  return Effect.suspend(() =>
    cached !== undefined
      ? Effect.succeed(cached.value)
      : Effect.tap(effect, (value) =>
          Effect.sync(() => {
            cached = { value }
          })
        )
  )
}

export class RunContextFactory extends Context.Service<
  RunContextFactory,
  {
    /**
     * @param known facts that the claim has just read: the run's record, for a step that is committed only if the record has not changed
     * since; the author's rights, for the first step
     */
    readonly make: (
      loaded: LoadedRun,
      revision: Revision,
      inboxRow?: InboxRow | null,
      known?: Partial<KnownNow>
    ) => RunContext
  }
>()("millrace/automations/run/RunContextFactory") {
  static readonly layer = Layer.effect(
    RunContextFactory,
    Effect.gen(function* () {
      const store = yield* RunStore
      const records = yield* RecordStates
      const authorities = yield* Authorities
      const least = yield* makeCombinedAuthority
      const visibility = yield* RunVisibility
      const { open, openNamed } = yield* makeSealed
      const credits = yield* Credits
      const named = yield* RunSecrets
      const payloads = yield* makeWebhookPayloads
      const { runMinutesMax } = yield* AppConfig

      const make: RunContextFactory["Service"]["make"] = (loaded, revision, inboxRow = null, known = {}) => {
        const { holder, trigger } = loaded
        const { run_id, org_id, app_id, automation_id } = loaded.run
        const owner = { app_id, org_id, workspace_id: holder.workspace_id }
        const acting: Acting = {
          userId: revision.author_id,
          orgId: org_id,
          author: { type: "automation", automation_id },
          automationId: automation_id,
          reach: revision.reach
        }
        const askers = (trigger.asked_by ?? []).map((asker) => authorities.of({ ...acting, ...reachOfAsker(asker) }))
        const authorityWith = (rights: KnownNow["rights"]) => least(authorities.of(acting, rights), askers)
        const presentAuthority = authorityWith(null)
        // The claim has asked for the first step; each later one asks anew.
        let nextAuthority = known.rights == null ? presentAuthority : authorityWith(known.rights)
        /** Secrets that the log hides. Those of a step stay hidden in later steps too, since a later step may receive them in an answer. */
        const secrets = new Set<string>()
        const used = makeUsedSecrets(secrets)
        const published = makePublishedValues(store, loaded, secrets)
        const { outputs, variables } = published
        const { frame, loop } = makeLoopItems(store, run_id, revision.plan)
        const payload = readOnce(payloads.load(trigger))
        const rawBody = readOnce(payloads.loadRaw(trigger))
        const request = readOnce(
          Effect.gen(function* () {
            const webhookRequest = trigger.webhook_request
            if (webhookRequest === undefined) return undefined
            const addCredentials = (value: unknown) => {
              for (const text of credentialsIn(value)) secrets.add(text)
            }
            return {
              headers: yield* openNamed(webhookRequest.headers, addCredentials),
              query: yield* openNamed(webhookRequest.query, addCredentials)
            }
          })
        )
        const hidden = readOnce(
          Effect.map(Effect.andThen(request, named.hidden(owner, revision.secrets)), (values) =>
            values.forEach(used.add)
          )
        )
        const args = readOnce(
          Effect.forEach(inputsOf(revision.definition.trigger), (def) => {
            const name = variableName(def.label)
            return Effect.map(open(trigger.arguments?.[name] ?? null), (value): Variable => {
              for (const text of tokensIn(value)) secrets.add(text)
              return { def, name, value }
            })
          })
        )
        const build = (
          now: Date,
          loops: ReadonlyArray<LoopFrame>,
          gathered: StepOutput,
          /** Former state of the record, for the automation's filter. */
          current: RecordState | null | undefined = known.state,
          authority = presentAuthority
        ): RunScope => {
          const run = {
            run_id,
            type: loaded.run.type,
            org_id,
            record_id: loaded.run.record_id,
            depth: loaded.run.depth,
            root_run_id: loaded.run.root_run_id ?? run_id,
            chain: loaded.run.chain,
            created_on: loaded.run.created_on
          }
          const viewer: Viewer = { authority, run, trigger }
          const loadRecord = (id: number | null | undefined) =>
            id == null ? Effect.succeed(null) : Effect.map(records.byIds(org_id, [id]), ([state]) => state ?? null)
          /** Reads a state once per step, and only what the author may see. */
          const checkVisible = (read: Effect.Effect<RecordState | null>) =>
            readOnce(Effect.tap(read, (state) => (state === null ? Effect.void : visibility.states(viewer, [state]))))
          return {
            run,
            automation: {
              automation_id,
              revision_id: revision.revision_id,
              name: revision.name,
              ...owner,
              timezone: revision.timezone,
              declared: revision.declared
            },
            authority,
            trigger,
            payload,
            request,
            rawBody,
            simulation: isDry(loaded.run.type, trigger),
            now,
            ...(known.row === undefined || known.version === undefined
              ? {}
              : { appVersion: { app_id: known.row.app_id, version: known.version } }),
            current: checkVisible(
              current === undefined
                ? Effect.map(loadRecord(loaded.run.record_id), (state) => state ?? trigger.record)
                : Effect.succeed(current)
            ),
            previous: checkVisible(
              Effect.map(outputs, (rows) => {
                const published = rows.findLast(({ type }) => type === "previous")
                return published === undefined
                  ? trigger.previous
                  : (published.output as { readonly record: RecordState | null }).record
              })
            ),
            triggering: checkVisible(loadRecord(trigger.triggering_record_id)),
            records: (ids) => Effect.tap(records.byIds(org_id, ids), (states) => visibility.states(viewer, states)),
            collected: null,
            loops,
            variable: (def) => {
              const newVariable = gathered.variables.findLast((row) => sameDef(row as CustomDef, def))
              if (newVariable !== undefined) return Effect.succeed(newVariable.value)
              return Effect.gen(function* () {
                const row = (yield* variables).findLast((known) => sameDef(known as CustomDef, def))
                return row === undefined ? (yield* args).find((arg) => sameDef(arg.def, def))?.value : row.value
              })
            },
            variables: Effect.zipWith(args, variables, (given, rows) => [
              ...given,
              ...[...rows, ...gathered.variables].map((row) => ({
                def: { custom_type: row.custom_type, label: row.label } as CustomDef,
                name: variableName(row.label),
                value: row.value
              }))
            ]),
            output: (type, appId) =>
              Effect.map(outputs, (rows) => {
                const allOutputs = [...rows, ...gathered.outputs]
                const latestOutput = allOutputs.findLast(
                  (row) => row.type === type && (appId === undefined || row.app_id === appId)
                )
                return (latestOutput?.output as Output | undefined) ?? null
              }),
            mostRecentError: context.run.most_recent_error,
            actionsLeftInHour: credits.left(org_id)
          }
        }

        const context: RunContext = {
          run: loaded.run,
          storedRun: loaded.run,
          deferredCommits: [],
          hasAnswer: loaded.fresh ? false : null,
          passedMs: 0,
          loaded,
          revision,
          inboxRow,
          scope: (now, loops, current) => build(now, loops, newStepOutput(), current),
          begin: Effect.fnUntraced(function* (node, iteration, startedAt, attempt = 1) {
            const loops = yield* context.loops(node, iteration)
            yield* hidden
            const gathered: StepOutput = { ...newStepOutput(), secrets }
            const rowOf = ({ custom_type, label }: CustomDef, value: unknown) => ({
              custom_type,
              label,
              value: value === undefined ? null : used.without(value)
            })
            const authority = nextAuthority
            nextAuthority = presentAuthority
            const step: Step = {
              ...build(new Date(startedAt), loops, gathered, undefined, authority),
              onLeftOut: (message) => {
                const isRepeated = gathered.messages.some((line) => line.message === message)
                if (!isRepeated) gathered.messages.push({ message, level: "warn" })
              },
              config: node.action.config,
              action_id: node.action.id,
              key: `${run_id}/${node.path}/${iterationKey(iteration)}`,
              attempt,
              retried: (node.action.retry?.attempts ?? 1) > 1,
              millisLeft: Math.max(0, runMinutesMax * 60_000 - context.run.executed_ms - context.passedMs),
              log: {
                add: (level, message) => void gathered.messages.push({ message, level }),
                input: (name, value) => void gathered.inputs.set(name, used.without(value)),
                output: (name, value) => void gathered.results.set(name, used.without(value)),
                secret: (text) => void gathered.secrets.add(text),
                about: (recordId) => {
                  gathered.about = recordId
                }
              },
              secrets: used,
              cause: causeOf(loaded.run),
              set: (def, value) => void gathered.variables.push(rowOf(def, value)),
              setOnFailure: (def, value) => void gathered.onFailure.push(rowOf(def, value)),
              publish: (output) =>
                void gathered.outputs.push({ type: output.type, app_id: output.app_id, output: used.without(output) }),
              publishPrevious: (record) =>
                void gathered.outputs.push({ type: "previous", app_id: 0, output: { record } }),
              call: (call) => void gathered.calls.push(used.without(call)),
              page: (page) => void gathered.pages.push(used.without(page)),
              redirect: (url) => {
                gathered.redirect = used.without(url)
              }
            }
            return { step, gathered }
          }),
          loops: (node, iteration) =>
            Effect.forEach(node.loops, (path, level) => frame(path, iteration.slice(0, level), iteration[level]!)),
          loop: (path, outer) => loop(path, iterationKey(outer)),
          load: published.load,
          snapshot: () => {
            const { deferredCommits, passedMs, run } = context
            const restoreValues = published.snapshot()
            return () => {
              Object.assign(context, { deferredCommits, passedMs, run })
              restoreValues()
            }
          },
          absorb: published.absorb
        }
        return context
      }

      return RunContextFactory.of({ make })
    })
  )
}
