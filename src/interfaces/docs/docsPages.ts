// The pages of /docs that are put together from tables: overview, groups, types, what hooks are sent, errors, scopes, limits.
import { codes, componentOf, type ErrorCode } from "../../api/middleware/errorCodes.ts"
import { html } from "../web/html.ts"
import type { Catalogue, OperationGroup } from "./describedApi.ts"
import type { DocsPage, PageLink } from "./docsFrame.ts"
import { operationSection, prose } from "./operationSection.ts"
import { members, shape, typeOf } from "./schemaMarkup.ts"

const card = (path: string, title: string, text: string) =>
  html`<div class="card"><h2><a href="${path}">${title}</a></h2><p class="muted">${prose(text)}</p></div>`

export const overview = ({ groups }: Catalogue, guides: ReadonlyArray<PageLink>): DocsPage => ({
  path: "/docs",
  title: "Documentation",
  body: html`<h1>Records, webhooks and automations over HTTP</h1>
<p class="lead">Begin with a tutorial, <a href="/docs/manual">find the page for your question</a>, or look an operation up. Press <code>/</code> to search; for machines the API is described at <a href="/openapi.json">/openapi.json</a>.</p>
<h2>Tutorials</h2><ul>${guides.map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}</ul>
<h2>Something does not work?</h2><p><a href="/docs/manual/troubleshooting">Troubleshooting</a> goes by symptom: webhooks, runs, sign-in, the API, imports, mail, the service.</p>
<h2>API</h2><div class="grid">${groups.map(({ description, name, slug }) => card(`/docs/${slug}`, name, description))}</div>`
})

const tokenField = html`<div class="field"><label for="token">Your token, for examples and requests of this page</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="svc_pat_…">
<small>It stays in this page. <a href="/console/account/tokens">Make one</a>; signed in, examples hold ids of your own.</small></div>`

export const groupPage = ({ description, name, operations, slug }: OperationGroup): DocsPage => ({
  path: `/docs/${slug}`,
  title: name,
  body: html`<h1>${name}</h1><p class="lead">${prose(description)}</p>
<ul>${operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}</ul>${tokenField}
${operations.map((operation) => operationSection(operation))}`
})

export const typePage = ({ schemas }: Catalogue, name: string): DocsPage | undefined => {
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  return schema === undefined
    ? undefined
    : {
        path: `/docs/types/${name}`,
        title: name,
        body: html`<h1>${name}</h1>${schema["description"] && html`<p class="lead">${prose(schema["description"])}</p>`}
<p class="type">${typeOf(schema)}</p>${members(schema)}`
      }
}

const hookBodies = ({ events }: Catalogue): DocsPage => ({
  path: "/docs/hook-bodies",
  title: "What hooks are sent",
  body: html`<h1>What hooks are sent</h1><p class="lead">A POST of JSON, signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> says. Any 2xx within 5 s takes it; anything else is tried again, with the same <code>webhook-id</code>. How to trust one stands in the <a href="/docs/guides/webhooks">guide</a>.</p>
<h2>Headers</h2><ul class="members"><li><code>webhook-id</code><p>One for each event and hook, the same for every retry and replay</p></li>
<li><code>webhook-timestamp</code><p>When it was sent, in seconds since 1970</p></li>
<li><code>webhook-signature</code><p><code>v1,</code> and the HMAC-SHA-256 of id, timestamp and body, joined by dots; two of them while a secret is rotated</p></li></ul>
${events.map(({ schema, summary, type }) => html`<section class="operation" id="${type}"><h2><a href="#${type}">${type}</a></h2><p>${prose(summary)}</p>${shape(schema)}</section>`)}`
})

const errorsPage: DocsPage = {
  path: "/docs/errors",
  title: "Errors",
  body: html`<h1>Errors</h1><p class="lead">Every error has <code>status_code</code>, <code>endpoint</code>, <code>error_code</code> and <code>error_message</code>. Programs go by <code>error_code</code>; the message is for people, and names the place in the body where there is one.</p>
<div class="scroll" tabindex="0"><table><thead><tr><th>Status</th><th><code>error_code</code></th><th>When</th></tr></thead><tbody>
${Object.entries(codes).map(
  ([code, { status, when }]) =>
    html`<tr id="${code}"><td>${status}</td><td><a href="/docs/types/${componentOf(code as ErrorCode)}"><code>${code}</code></a></td><td>${prose(when)}</td></tr>`
)}</tbody></table></div>
<p>Checks come in this order: credential (401), rate limit (429), scope (403 <code>forbidden</code>), what the credential may see (404), what its user may do (403 <code>restricted_resource</code>), the input (400), the state (409). Each answer has an <code>X-Request-Id</code> by which the operator finds it.</p>`
}

const scopesPage = ({ groups, scopes }: Catalogue): DocsPage => ({
  path: "/docs/scopes",
  title: "Scopes",
  body: html`<h1>Scopes</h1><p class="lead">What an app may be given by a person, or a personal access token by its owner: never more than that person may do. A user API key has all of them.</p>
<div class="scroll" tabindex="0"><table><thead><tr><th>Scope</th><th>What people read</th><th>Operations</th></tr></thead><tbody>
${Object.entries(scopes).map(([scope, text]) => {
  const needing = groups.flatMap(({ operations, slug }) =>
    operations.filter((one) => one.scopes.includes(scope)).map((one) => ({ slug, ...one }))
  )
  return html`<tr id="${scope}"><td><code>${scope}</code></td><td>${text}</td><td>${needing.length === 0 ? "none yet" : html`<details><summary>${needing.length}</summary><ul>${needing.map(({ id, slug, summary }) => html`<li><a href="/docs/${slug}#${id}">${summary}</a></li>`)}</ul></details>`}</td></tr>`
})}</tbody></table></div>`
})

export interface ShownLimits {
  readonly rateBudget: number
  readonly rateBaseCost: number
  readonly rateWindowSeconds: number
  readonly idempotencyHours: number
  readonly uploadMaxMegabytes: number
  readonly webhookPerMinute: number
  readonly inboundPerMinute: number
  readonly runsConcurrent: number
  readonly runActionsMax: number
  readonly creditsPerHour: number
  readonly mailPerDay: number
}

const limitsPage = (limits: ShownLimits): DocsPage => ({
  path: "/docs/limits",
  title: "Limits",
  body: html`<h1>Limits</h1><p class="lead">Those of this installation. An organization may have been given others.</p>
<div class="scroll" tabindex="0"><table><thead><tr><th>What</th><th>Limit</th></tr></thead><tbody>
<tr><td>Requests of one person, over all credentials</td><td>${limits.rateBudget} credits in ${limits.rateWindowSeconds} s; most cost ${limits.rateBaseCost}, each operation says what it costs</td></tr>
<tr><td>Body of a request</td><td>2 MiB of JSON</td></tr>
<tr><td>A file</td><td>${limits.uploadMaxMegabytes} MB</td></tr>
<tr><td>How long an <code>Idempotency-Key</code> is remembered</td><td>${limits.idempotencyHours} h</td></tr>
<tr><td>Executions of the webhooks of one app</td><td>${limits.webhookPerMinute} a minute; what comes above waits</td></tr>
<tr><td>Requests to one inbound address</td><td>${limits.inboundPerMinute} a minute; 1 MiB of text, 25 MB of files</td></tr>
<tr><td>Runs of an organization at the same time</td><td>${limits.runsConcurrent}; others wait</td></tr>
<tr><td>Steps of one run</td><td>${limits.runActionsMax}</td></tr>
<tr><td>Actions of an organization</td><td>${limits.creditsPerHour} an hour</td></tr>
<tr><td>Mails of an organization</td><td>${limits.mailPerDay} in 24 h</td></tr></tbody></table></div>
<p>Every answer tells where you stand: <code>X-RateLimit-Limit</code>, <code>X-Retry-Remaining</code>, <code>X-Retry-Cost</code>, <code>X-Retry-Reset</code>. A 429 says in <code>Retry-After</code> when to go on.</p>`
})

export const tablePages = (catalogue: Catalogue, limits: ShownLimits): ReadonlyArray<DocsPage> => [
  hookBodies(catalogue),
  errorsPage,
  scopesPage(catalogue),
  limitsPage(limits)
]
