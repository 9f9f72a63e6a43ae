// What the console is looked at with: apps, records and comments, made through the API as anybody would.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hashToken, randomToken } from "../../../src/ground/sealing/Secrets.ts"
import { Scene } from "../pages/chromium.ts"

/** Calls the API as the owner of the scene. */
export const callerOfScene = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { service, userId } = yield* Scene
  const key = randomToken("user_key_")
  yield* sql`
    INSERT INTO api_credentials (user_id, kind, token_hash, hint, created_on)
    VALUES (${userId}, 'user_api_key', ${hashToken(key)}, ${key.slice(-4)}, now())
    ON CONFLICT DO NOTHING`
  return (method: string, path: string, body?: object) =>
    Effect.promise(async (): Promise<any> => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await fetch(`${service.origin}/v1${path}`, { method, headers, ...sent })
      const answer = await response.json()
      if (!response.ok) throw new Error(JSON.stringify(answer))
      return answer
    })
})

export const field = (field_type: string, label: string, settings: object = {}, required = false) => ({
  field_type,
  config: { label, required, settings }
})

/** Two apps, the first with a field of most types. */
export const seedApps = Effect.gen(function* () {
  const call = yield* callerOfScene
  const { workspaces } = yield* call("GET", "/workspace/org")
  const { workspace_id } = workspaces[0]
  const ships = yield* call("POST", "/app", {
    workspace_id,
    name: "Ships",
    item_name: "Ship",
    description: "Every ship that calls at the harbor.",
    fields: [
      field("single_text", "Name"),
      field(
        "status",
        "State",
        {
          options: [
            { text: "Expected", color: "orange", means_completed: false },
            { text: "In port", color: "green", means_completed: true }
          ]
        },
        true
      ),
      field("number", "Length", { decimals: 1, unit: "m", unit_location: "suffix" }),
      field("single_date", "Arrives", { time: "enabled" }),
      field("multi_user", "Pilots"),
      field("multi_text", "Notes"),
      field("checklist", "On arrival"),
      field("multi_link", "Links")
    ]
  })
  yield* call("POST", "/app", {
    workspace_id,
    name: "Berths",
    item_name: "Berth",
    fields: [field("single_text", "Name")]
  })
  return { call, ships }
})
