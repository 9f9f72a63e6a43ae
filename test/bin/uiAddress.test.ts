// README: the address of the Temporal UI that npm start prints leads to the service's namespace.
import { assert, describe, it } from "@effect/vitest"
import { uiAddressOf } from "../../bin/parts/temporal.js"

describe("the address of the Temporal UI", () => {
  /** Without housekeeping. */
  const list = "?query=WorkflowType%20!%3D%20%22housekeeping%22"

  it("leads to the namespace, below a path too; one that names its own stays", () => {
    const addressFor = (TEMPORAL_UI_URL: string, more = {}) => uiAddressOf({ TEMPORAL_UI_URL, ...more })
    assert.strictEqual(
      addressFor("http://127.0.0.1:8233"),
      `http://127.0.0.1:8233/namespaces/millrace/workflows${list}`
    )
    const cloud = { TEMPORAL_NAMESPACE: "boats.a1b2c" }
    assert.strictEqual(
      addressFor("https://t.example/ui/", cloud),
      `https://t.example/ui/namespaces/boats.a1b2c/workflows${list}`
    )
    assert.strictEqual(
      addressFor("https://t.example/namespaces/x/schedules"),
      "https://t.example/namespaces/x/schedules"
    )
    assert.deepStrictEqual([uiAddressOf({}), addressFor("")], [undefined, undefined])
  })
})
