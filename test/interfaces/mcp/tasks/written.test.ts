// docs/mcp-tasks.md is written from the tasks; `npx vitest run test/interfaces/mcp/tasks -u` writes it anew.
import { assert, describe, expect, it } from "@effect/vitest"
import { tools } from "../../../../src/interfaces/mcp/tools/registry.ts"
import { automationTasks } from "./automationTasks.ts"
import { hookTasks } from "./hookTasks.ts"
import type { PlainTask } from "./PlainTask.ts"
import { recordTasks } from "./recordTasks.ts"

const families: ReadonlyArray<readonly [string, ReadonlyArray<PlainTask>]> = [
  ["Records, apps, people", recordTasks],
  ["Automations and runs", automationTasks],
  ["Webhooks and secrets", hookTasks]
]
const allTasks = families.flatMap(([, tasks]) => tasks)

const row = ({ steps, words }: PlainTask) =>
  `| ${words} | ${steps.map(({ refused, tool }) => (refused === undefined ? `\`${tool}\`` : `\`${tool}\` (refused)`)).join(", ")} |`

const page = `# Tasks in plain words

What people ask of an assistant, and the tools that it calls for that, in order. A test carries each out against a running service with
the client of a host: arguments come from the words and from earlier answers alone, no task takes more than six calls, no answer is
longer than 20,000 characters, every refusal says what to do.

${families.map(([name, tasks]) => `## ${name}\n\n| Words | Calls |\n|---|---|\n${tasks.map(row).join("\n")}\n`).join("\n")}`

describe("tasks in plain words", () => {
  it("are thirty and more, each with other words, and call tools that are there", () => {
    assert.isAtLeast(allTasks.length, 30)
    assert.strictEqual(new Set(allTasks.map(({ words }) => words)).size, allTasks.length)
    for (const { steps } of allTasks) for (const { tool } of steps) assert.isTrue(tools.has(tool), tool)
  })

  it("are written down in the documentation", async () => {
    await expect(page).toMatchFileSnapshot("../../../../docs/mcp-tasks.md")
  })
})
