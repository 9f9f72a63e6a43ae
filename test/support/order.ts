// Which test files begin first: the longest, so that no worker is left alone with one at the end. Vitest goes by its own record of
// the last run, or by the size of files where there is none, as in a fresh clone; these are long for their size.
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Took longer than 15 seconds each. About the longest first, but of those that start the whole service and kill it no two beside
 * each other: on a busy machine each of them wants it for itself.
 */
export const LONG = [
  "test/disturb/disturb.test.ts",
  "test/deploy/observability.test.ts",
  "test/attacks/fairness.test.ts",
  "test/domain/webhooks/delivery.test.ts",
  "test/engine/actors/mishaps.test.ts",
  "test/domain/automations/actions/outside.test.ts",
  "test/engine/relay/largeEvents.test.ts",
  "test/attacks/fairness.floods.test.ts",
  "test/domain/automations/durable/kill.test.ts",
  "test/engine/epoch/recoveries.test.ts",
  "test/engine/actors/actors.test.ts",
  "test/attacks/isolation.keys.test.ts",
  "test/platform/sandbox/hostile.test.ts",
  "test/bin/start.test.ts",
  "test/attacks/authority.test.ts",
  "test/interfaces/http/fuzz.test.ts",
  "test/bin/service.test.ts",
  "test/domain/automations/durable/operators.test.ts",
  "test/domain/oauth/processes.test.ts",
  "test/domain/webhooks/window.test.ts",
  "test/domain/automations/run/runs.test.ts",
  "test/domain/automations/schedules/schedules.test.ts",
  "test/domain/automations/run/limits.test.ts",
  "test/interfaces/cli/runs.test.ts",
  "test/domain/automations/durable/restores.test.ts",
  "test/interfaces/cli/installation.test.ts",
  "test/demo/demo.test.ts",
  "test/interfaces/docs/docs.test.ts",
  "test/domain/automations/schedules/timeTriggers.test.ts",
  "test/bin/test.test.ts"
]

/** Those that start the whole service, weigh a process or change what all of it shares: each has a process of its own. */
export const APART = [
  ...LONG,
  "test/attacks/{bounds,fairness,isolation}*.test.ts",
  "test/{bench,bin,demo,disturb,simulation,workflows}/**/*.test.ts"
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) => {
      const position = LONG.findIndex((name) => moduleId.endsWith(name))
      return position < 0 ? LONG.length : position
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
