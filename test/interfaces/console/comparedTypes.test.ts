// The editor's conditions compare a calculation as its result is (developer-api.md 11.3).
import { describe, expect, it } from "vitest"
import { asked, comparedType } from "../../../console/src/pages/automations/editor/model/filterTree.ts"

const results = ["text", "number", "date", "boolean"]
const fields = results.map((result, at) => ({
  ...{ field_id: 10 + at, label: result, field_type: "calculation", external_id: result },
  config: { settings: { expression: "1", result } }
}))
const apps = new Map([[1, { app_id: 1, name: "Sales", fields }]])
const subject = (field_id: number, field_type = "calculation") => ({
  ...{ kind: "variable", source: "field", field_id, field_type }
})

describe("conditions of the editor", () => {
  it("compare a calculation as its result is", () => {
    expect(fields.map(({ field_id }) => comparedType(subject(field_id), apps))).toStrictEqual([
      "single_text",
      "number",
      "single_date",
      "boolean"
    ])
    expect([comparedType(subject(99), apps), comparedType(subject(5, "status"), apps)]).toStrictEqual([
      "calculation",
      "status"
    ])
  })

  it("take values of the result's type", () => {
    const values = fields.map(({ field_id }) => {
      const fieldSubject = subject(field_id)
      return asked({ subject: fieldSubject }, fieldSubject, "is", true, comparedType(fieldSubject, apps)).value?.[
        "type"
      ]
    })
    expect(values).toStrictEqual(results)
  })
})
