// Renders one operation of the API on its group's page: what it does, takes, answers and refuses, with an example that can be sent from the
// page.
import { nameOf } from "../../api/description/names.ts"
import type { Described, Operation, Parameter } from "../../api/description/operationsIn.ts"
import { codes, componentOf, type ErrorCode } from "../../api/middleware/errorCodes.ts"
import { type Content, html } from "../web/html.ts"
import { curlOf, pathOf } from "./samples.ts"
import { limitsOf, shape, typeOf } from "./schemaMarkup.ts"

const WHERE = { path: "in the path", query: "in the query string", header: "header" } as const

const parameterRow = ({ description, in: where, name, required, schema }: Parameter) => {
  const limits = limitsOf(schema)
  return html`<li><code>${name}</code> <span class="type">${typeOf(schema)}</span> <small>${WHERE[where]}${required !== true && ", optional"}</small>
${(description || limits !== "") && html`<p>${description} <small>${limits}</small></p>`}</li>`
}

/** Descriptions hold code in backquotes, and nothing else of Markdown. */
export const prose = (text: string): Content =>
  text.split("`").map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))

const pretty = (value: unknown) => JSON.stringify(value, null, 2)

const allCodes = Object.keys(codes) as ReadonlyArray<ErrorCode>

const codesOf = (schema: Described | undefined): ReadonlyArray<ErrorCode> => {
  if (schema === undefined) return []
  if (typeof schema["$ref"] !== "string") return (schema["oneOf"] ?? schema["anyOf"] ?? []).flatMap(codesOf)
  const name = nameOf(schema["$ref"])
  return allCodes.filter((code) => componentOf(code) === name)
}

const tryIt = (operation: Operation, body: unknown): Content => {
  const inputParameters = operation.parameters.filter((one) => one.in !== "header")
  return html`<details class="try"><summary>Try it</summary><form data-method="${operation.method}" data-path="${operation.path}">
${inputParameters.map(
  ({
    in: where,
    name,
    required
  }) => html`<div class="field"><label>${name} <small>${where === "query" && "optional"}</small>
<input name="${name}" data-in="${where}" autocomplete="off"${required === true && html` required`}></label></div>`
)}
${
  operation.body?.type === "application/json" &&
  html`<div class="field"><label>Body <textarea name="body" rows="${Math.min(12, pretty(body).split("\n").length + 1)}" spellcheck="false">${pretty(body)}</textarea></label></div>`
}
<button>Send</button> <small>with the token above, to this service</small><output></output></form></details>`
}

export const operationSection = (operation: Operation): Content => {
  const { body } = operation
  const bodyExample = body?.example
  const successAnswers = operation.answers.filter(({ status }) => /^[23]/.test(status))
  const errorAnswers = operation.answers.filter(({ status }) => !/^[23]/.test(status))
  return html`<section class="operation" id="${operation.id}"><h2><a href="#${operation.id}">${operation.summary}</a></h2>
<p class="route"><span class="method ${operation.method.toLowerCase()}">${operation.method}</span> <code>${operation.path}</code></p>
<p>${prose(operation.description)}</p>
${operation.parameters.length > 0 && html`<h3>Parameters</h3><ul class="members">${operation.parameters.map(parameterRow)}</ul>`}
${body !== undefined && html`<h3>Body <small>${body.type}</small></h3>${shape(body.schema)}`}
${successAnswers.map(
  ({ content, description, status }) => html`<h3>Answer <code>${status}</code></h3>
${content === undefined ? html`<p>${description}</p>` : shape(content.schema)}
${content?.example !== undefined && html`<pre tabindex="0">${pretty(content.example)}</pre>`}`
)}
<h3>Errors</h3><p>${errorAnswers.map(({ content, status }) => html`<span class="tag">${status} ${codesOf(content?.schema).map((code) => html`<a href="/docs/errors#${code}">${code}</a> `)}</span> `)}</p>
<h3>Example</h3><pre tabindex="0" data-path="${operation.path}" data-filled="${pathOf(operation)}">${curlOf(operation, bodyExample)}</pre>
${(body === undefined || body.type === "application/json") && tryIt(operation, bodyExample)}</section>`
}
