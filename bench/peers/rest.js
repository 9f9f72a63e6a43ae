// The peer of the HTTP rows: Fastify and pg by hand, the token looked up in Postgres on every request, statements prepared.
import { createHash } from "node:crypto"
import Fastify from "fastify"
import pg from "pg"
import { everyday } from "./restEveryday.js"
import { pages } from "./restPages.js"

pg.types.setTypeParser(20, Number)
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_API ?? 12)
})
const app = Fastify()
const hash = (token) => createHash("sha256").update(token).digest()
const bearer = (request) => (request.headers.authorization ?? "").slice("Bearer ".length)
const when = (date) => date.toISOString().slice(0, 19).replace("T", " ")

const valid = "c.revoked_on IS NULL AND u.status = 'active' AND (c.kind = 'user_api_key' OR u.role <> 'guest')"

/** Joins all tables in one query, as a person who writes this by hand would do. */
const ME = `
  SELECT c.kind, c.scopes, c.content_selection, c.workspace_ids, c.app_ids, u.user_id, u.name, u.org_id, u.status, p.email,
    u.phone, u.role, u.job_description, u.image, u.timezone, o.name AS org_name, o.slug
  FROM api_credentials c JOIN users u USING (user_id) JOIN people p USING (person_id) JOIN organizations o USING (org_id)
  WHERE c.token_hash = $1 AND ${valid}`

app.get("/v1/user", async (request, reply) => {
  const { rows } = await pool.query({ name: "me", text: ME, values: [hash(bearer(request))] })
  const row = rows[0]
  if (row === undefined) return reply.code(401).send({ status_code: 401 })
  const { org_name, slug, kind, scopes, content_selection, workspace_ids, app_ids, ...user } = row
  return {
    ...user,
    type: "user",
    organization: { org_id: row.org_id, name: org_name, slug },
    credential: { type: kind, client_id: null, expires_on: null, content_selection, workspace_ids, app_ids },
    scopes
  }
})

const CALLER = `SELECT u.user_id, u.org_id, u.role, c.scopes FROM api_credentials c JOIN users u USING (user_id)
  WHERE c.token_hash = $1 AND ${valid}`
const COUNT = `UPDATE app_counters SET last_app_record_id = last_app_record_id + 1 WHERE app_id = $1 RETURNING last_app_record_id`
const RECORD = `INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING record_id`
const REVISION = `INSERT INTO revisions (record_id, revision, type, created_on, created_by, delta) VALUES ($1, 0, 'creation', $2, $3, $4)`
const OUTBOX = `INSERT INTO outbox (type, org_id, app_id, record_id, hook, workflow, silent, depth, cause, payload, created_on)
  VALUES ('record.create', $1, $2, $3, true, true, false, 0, null, $4, $5)`

const fieldsOf = new Map()
const definition = async (client, appId) => {
  const cachedFields = fieldsOf.get(appId)
  if (cachedFields !== undefined) return cachedFields
  const { rows } = await client.query("SELECT field_id, slug FROM fields WHERE app_id = $1 ORDER BY position", [appId])
  const fields = new Map(rows.map((row) => [row.slug, row.field_id]))
  fieldsOf.set(appId, fields)
  return fields
}

app.post("/v1/record/app/:app_id", async (request, reply) => {
  const client = await pool.connect()
  try {
    const caller = await callerOf(client, request)
    if (caller === undefined) return reply.code(401).send({ status_code: 401 })
    const appId = Number(request.params.app_id)
    const fields = await definition(client, appId)
    const cells = {}
    for (const [slug, value] of Object.entries(request.body.fields)) {
      if (!fields.has(slug)) return reply.code(400).send({ status_code: 400 })
      cells[fields.get(slug)] = [{ value }]
    }
    const nowDate = new Date()
    const author = { type: "user", user_id: caller.user_id }
    const title = Object.values(request.body.fields)[0]
    await client.query("BEGIN")
    const number = (await client.query({ name: "count", text: COUNT, values: [appId] })).rows[0].last_app_record_id
    const values = [appId, caller.org_id, number, title, cells, nowDate, author]
    const recordId = (await client.query({ name: "record", text: RECORD, values })).rows[0].record_id
    const delta = Object.fromEntries(Object.entries(cells).map(([id, to]) => [id, { from: [], to }]))
    await client.query({ name: "revision", text: REVISION, values: [recordId, nowDate, author, delta] })
    const payload = { revision: 0, author, cells, changed: Object.keys(cells).map(Number), title }
    await client.query({ name: "outbox", text: OUTBOX, values: [caller.org_id, appId, recordId, payload, nowDate] })
    await client.query("COMMIT")
    return {
      record_id: recordId,
      app_record_id: number,
      app_id: appId,
      title,
      revision: 0,
      created_on: when(nowDate),
      created_by: author,
      fields: Object.entries(request.body.fields).map(([external_id, value]) => ({ external_id, values: [{ value }] }))
    }
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
})

const callerOf = async (client, request) =>
  (await client.query({ name: "caller", text: CALLER, values: [hash(bearer(request))] })).rows[0]
everyday({ app, pool, callerOf, definition, when })
pages({ app, pool, callerOf, when })

await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" })
