// `/record/{record_id}`: a record's title, fields and comments, read-only, for a person who may see it (developer-api.md 4.1
// `record_url`). In several organizations, the user of the record's organization counts.
import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { Access, type AccessGrant } from "../../domain/accounts/Access.ts"
import type { Comment, Reply } from "../../domain/records/comments/Comment.ts"
import { Comments } from "../../domain/records/comments/Comments.ts"
import { Records } from "../../domain/records/reading/Records.ts"
import type { Record } from "../../domain/records/reading/recordSchemas.ts"
import { cleaning } from "../../platform/text/clean.ts"
import { idOf } from "../web/form.ts"
import { type Content, html } from "../web/html.ts"
import { page } from "../web/layout.ts"
import { note, time } from "../web/parts.ts"
import { callerOf, type SignedIn } from "../web/Visitors.ts"
import { showValues } from "./recordFields.ts"

const perPage = 50

const utc = (text: string) => new Date(`${text.replace(" ", "T")}Z`)

/** Text with its mentions, `@[Name](user:5)`, as `@Name`. */
const replaceMentions = (value: string) => value.replace(/@\[([^[\]]*)\]\(user:\d+\)/g, "@$1")

export const makeRecord = Effect.gen(function* () {
  const access = yield* Access
  const records = yield* Records
  const comments = yield* Comments

  const missing = (visit: SignedIn) =>
    page({
      title: "No such record",
      visit,
      status: 404,
      body: html`<h1>No such record</h1><p class="lead">It does not exist, or you may not see it.</p>`
    })

  const grantOf = Effect.fnUntraced(function* (visit: SignedIn, recordId: number) {
    for (const user of visit.users) {
      const grant = yield* Effect.option(access.check(callerOf(visit, user), "record", recordId, 1, true))
      if (Option.isSome(grant)) return { grant: grant.value, user }
    }
    return undefined
  })

  const entry = (author: { readonly name: string | null }, c: Comment | Reply, zone: string, below: Content) =>
    html`<div class="comment"><p class="muted"><strong><bdi>${author.name || "Somebody"}</bdi></strong> · ${time(utc(c.created_on), zone)}${"edited_on" in c && " · edited"}</p>
<p class="said"><bdi>${replaceMentions(c.value)}</bdi></p>${c.files.length > 0 && html`<p class="muted">${c.files.length === 1 ? "1 file" : `${c.files.length} files`}: ${c.files.map((f) => f.name).join(", ")}</p>`}${below}</div>`

  const thread = Effect.fnUntraced(function* (grant: AccessGrant, comment: Comment, zone: string) {
    if (comment.reply_count === 0) return entry(comment.user, comment, zone, "")
    const commentGrant: AccessGrant = { ...grant, kind: "comment", id: comment.comment_id }
    const { replies, total } = yield* comments
      .listReplies(commentGrant, { limit: 100, cursor: undefined })
      .pipe(Effect.catchTag("ValidationError", Effect.die))
    const more = total - replies.length
    return entry(
      comment.user,
      comment,
      zone,
      html`${replies.map((reply) => entry(reply.user, reply, zone, ""))}${more > 0 && html`<p class="muted">and ${more} more replies</p>`}`
    )
  })

  return Effect.fn("pages.record")(function* (visit: SignedIn) {
    const recordId = idOf((yield* HttpRouter.params)["record_id"] ?? "")
    const reached = recordId === undefined ? undefined : yield* grantOf(visit, recordId)
    if (reached === undefined) return missing(visit)
    const { grant, user } = reached
    const zone = user.timezone
    return yield* Effect.gen(function* () {
      const { definition } = yield* records.find(grant, false)
      const record: typeof Record.Type = JSON.parse((yield* records.get(grant, false)).text)
      const cursor = visit.query.get("comments")
      // A cursor that does not fit shows the first page.
      const firstPage = comments.list(grant, { limit: perPage, cursor: undefined })
      const commentPage = yield* (
        cursor === ""
          ? firstPage
          : comments.list(grant, { limit: perPage, cursor }).pipe(Effect.catchTag("ValidationError", () => firstPage))
      ).pipe(Effect.catchTag("ValidationError", Effect.die))
      const threads = yield* Effect.forEach(commentPage.comments, (c) => thread(grant, c, zone), { concurrency: 4 })
      const fieldsOf = () =>
        definition.fields.flatMap((field) => {
          const read = record.fields.find((f) => f.field_id === field.field_id)
          if (field.always_hidden || (read === undefined && field.hidden_if_empty)) return []
          const value = read === undefined ? html`<span class="muted">–</span>` : showValues(read.values, field, zone)
          return [html`<dt>${field.label}</dt><dd>${value}</dd>`]
        })
      const texts = record.fields.flatMap(({ values }) => values.map((entry) => (entry as { value?: unknown }).value))
      const renderedFields = yield* cleaning(texts)(Effect.sync(fieldsOf)).pipe(
        Effect.catchTag("TextRefused", Effect.die)
      )
      const by = (author: { readonly name: string | null } | null) =>
        author?.name ? html` by <bdi>${author.name}</bdi>` : ""
      return page({
        title: record.title,
        visit,
        body: html`<p class="muted"><bdi>${user.org_name}</bdi> · <bdi>${record.app.name}</bdi> · ${record.app.record_name} #${record.app_record_id}</p>
<h1><bdi>${record.title}</bdi></h1>
<p class="muted">Created ${time(utc(record.created_on), zone)}${by(record.created_by)}${record.last_modified_on !== null && html` · changed ${time(utc(record.last_modified_on), zone)}${by(record.last_modified_by)}`}</p>
<div class="card"><h2>Fields</h2>${renderedFields.length === 0 ? html`<p class="muted">This app has no fields.</p>` : html`<dl class="values">${renderedFields}</dl>`}</div>
<div class="card" id="comments"><h2>Comments (${record.comment_count})</h2>${threads.length === 0 ? html`<p class="muted">Nobody has commented.</p>` : threads}
${commentPage.cursor !== null && html`<p><a href="/record/${record.record_id}?comments=${encodeURIComponent(commentPage.cursor)}#comments">Later comments</a></p>`}</div>`
      })
    }).pipe(
      Effect.catchTag("RecordNotFound", () => Effect.succeed(missing(visit))),
      Effect.catchTag("RecordDeleted", () =>
        Effect.succeed(
          page({
            title: "In the trash",
            visit,
            status: 404,
            body: html`<h1>In the trash</h1>${note("warn", "This record was deleted.")}`
          })
        )
      )
    )
  })
})
