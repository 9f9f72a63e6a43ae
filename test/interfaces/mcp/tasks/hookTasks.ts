// Tasks about webhooks, their deliveries, and secrets.
import { assert } from "@effect/vitest"
import { appOf, call, task } from "./PlainTask.ts"

const inBooks = ([apps]: ReadonlyArray<any>) => ({ app_id: appOf(apps, "Books") })
const firstHook = (seen: ReadonlyArray<any>) => ({ hook_id: seen[1].webhooks[0].hook_id })
const morning = () => `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)} 00:00`

export const hookTasks = [
  task(
    "Tell https://93.184.215.14/shelf about each new book.",
    [
      call("list_apps"),
      call("create_webhook", (seen) => ({
        ...inBooks(seen),
        type: "record.create",
        url: "https://93.184.215.14/shelf"
      })),
      call(
        "confirm_webhook_verification",
        ([, { hook_id }]) => ({ hook_id, code: "000000" }),
        /request_webhook_verification/
      )
    ],
    ([, hook]) => assert.strictEqual(hook.status, "inactive")
  ),
  task(
    "Which deliveries of our webhook failed, and why?",
    [
      call("list_apps"),
      call("list_webhooks", inBooks),
      call("list_deliveries", (seen) => ({ ...firstHook(seen), status: "failed" })),
      call("read_delivery", ([, , page]) => ({ delivery_id: page.deliveries[0].delivery_id }))
    ],
    ([, , page, delivery]) => {
      assert.strictEqual(page.total, 2)
      assert.strictEqual(delivery.attempts[0].status_code, 500)
    }
  ),
  task(
    "Send one of them again.",
    [
      call("list_apps"),
      call("list_webhooks", inBooks),
      call("list_deliveries", (seen) => ({ ...firstHook(seen), status: "failed", limit: 1 })),
      call("replay_delivery", ([, , page]) => ({ delivery_id: page.deliveries[0].delivery_id }))
    ],
    ([, , , answer]) => assert.strictEqual(answer.replayed, 1)
  ),
  task(
    "Send again all that failed since yesterday, and say how far it is.",
    [
      call("list_apps"),
      call("list_webhooks", inBooks),
      call("replay_deliveries", (seen) => ({ ...firstHook(seen), since: morning() })),
      call("read_replay", ([, , { replay_id }]) => ({ replay_id })),
      call("cancel_replay", ([, , { replay_id }]) => ({ replay_id }))
    ],
    ([, , , replay, ended]) => {
      assert.strictEqual(replay.state, "running")
      assert.strictEqual(ended.state, "cancelled")
    }
  ),
  task(
    "Is the webhook well?",
    [call("list_apps"), call("list_webhooks", inBooks), call("read_webhook_statistics", firstHook)],
    ([, hooks, statistics]) => {
      assert.strictEqual(hooks.webhooks[0].status, "active")
      assert.isNumber(statistics.total.executions)
    }
  ),
  task(
    "Hold the webhook back while we move the server.",
    [
      call("list_apps"),
      call("list_webhooks", inBooks),
      call("update_webhook_settings", (seen) => ({ ...firstHook(seen), paused: true }))
    ],
    ([, , settings]) => assert.isTrue(settings.paused)
  ),
  task(
    "Which secrets do automations use? Replace the one of the mail service.",
    [
      call("list_secrets"),
      call("replace_secret", ([{ secrets }]) => ({
        secret_id: secrets.find((one: any) => one.name === "mail_key").secret_id,
        value: "sk-after-the-move"
      }))
    ],
    ([listed, replaced]) => assert.notInclude(JSON.stringify([listed, replaced]), "sk-")
  )
]
