// Everyday work of users, by hand on Fastify and pg: fifty records in one transaction of four statements, a record with its author, its
// revisions with the names of theirs, and a tool that reads a record.
import { answerTool } from "./plainMcp.js"

const RECORDS = `
  WITH i AS (SELECT * FROM jsonb_to_recordset($5::jsonb) AS t (n int, title text, cells jsonb))
  INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
  SELECT $1, $2, $6::int - $7::int + n, title, cells, $3, $4 FROM i ORDER BY n RETURNING record_id, app_record_id, title, cells`
const COUNT = `UPDATE app_counters SET last_app_record_id = last_app_record_id + $2 WHERE app_id = $1 RETURNING last_app_record_id`
const REVISIONS = `
  INSERT INTO revisions (record_id, revision, type, created_on, created_by, delta)
  SELECT record_id, 0, 'creation', $1, $2, delta FROM jsonb_to_recordset($3::jsonb) AS t (record_id bigint, delta jsonb)`
const OUTBOX = `
  INSERT INTO outbox (type, org_id, app_id, record_id, hook, workflow, silent, depth, cause, payload, created_on)
  SELECT 'record.create', $1, $2, record_id, true, true, false, 0, null, payload, $3
  FROM jsonb_to_recordset($4::jsonb) AS t (record_id bigint, payload jsonb)`

const ONE = `
  SELECT r.record_id, r.app_record_id, r.app_id, r.title, r.revision, r.created_on, r.last_modified_on, r.created_by, r.cells,
    u.name, u.image, p.email FROM records r
  LEFT JOIN users u ON u.user_id = (r.created_by->>'user_id')::bigint LEFT JOIN people p USING (person_id)
  WHERE r.record_id = $1 AND r.org_id = $2 AND r.deleted_on IS NULL`

const HISTORY = `
  SELECT v.revision, v.type, v.created_on, v.created_by, u.name FROM revisions v
  JOIN records r USING (record_id) LEFT JOIN users u ON u.user_id = (v.created_by->>'user_id')::bigint
  WHERE v.record_id = $1 AND r.org_id = $2 AND r.deleted_on IS NULL ORDER BY v.revision`

export const everyday = ({ app, pool, callerOf, definition, when }) => {
  app.post("/v1/record/app/batch/:app_id", async (request, reply) => {
    const client = await pool.connect()
    try {
      const caller = await callerOf(client, request)
      if (caller === undefined) return reply.code(401).send({ status_code: 401 })
      const appId = Number(request.params.app_id)
      const fieldIds = await definition(client, appId)
      const inputs = request.body.inputs.map(({ fields }, n) => ({
        n: n + 1,
        title: Object.values(fields)[0],
        cells: Object.fromEntries(Object.entries(fields).map(([slug, value]) => [fieldIds.get(slug), [{ value }]]))
      }))
      const nowDate = new Date()
      const author = { type: "user", user_id: caller.user_id }
      const query = (name, text, ...values) => client.query({ name, text, values })
      await client.query("BEGIN")
      const counterResult = await query("counts", COUNT, appId, inputs.length)
      const lastNumber = counterResult.rows[0].last_app_record_id
      const inserted = JSON.stringify(inputs)
      const { rows } = await query(
        "records",
        RECORDS,
        appId,
        caller.org_id,
        nowDate,
        author,
        inserted,
        lastNumber,
        inputs.length
      )
      const deltas = rows.map(({ cells, record_id }) => ({
        record_id,
        delta: Object.fromEntries(Object.entries(cells).map(([id, to]) => [id, { from: [], to }]))
      }))
      await query("revisions", REVISIONS, nowDate, author, JSON.stringify(deltas))
      const events = rows.map(({ cells, record_id, title }) => ({
        record_id,
        payload: { revision: 0, author, cells, changed: Object.keys(cells).map(Number), title }
      }))
      await query("events", OUTBOX, caller.org_id, appId, nowDate, JSON.stringify(events))
      await client.query("COMMIT")
      return { records: rows.map((row) => ({ ...row, app_id: appId, revision: 0, created_on: when(nowDate) })) }
    } catch (error) {
      await client.query("ROLLBACK")
      throw error
    } finally {
      client.release()
    }
  })

  /** The record with its author, as it is shown; undefined if the organization has no such record. */
  const readOne = async ({ org_id }, recordId) => {
    const { rows } = await pool.query({ name: "one", text: ONE, values: [recordId, org_id] })
    if (rows[0] === undefined) return undefined
    const { cells, created_by, created_on, email, image, last_modified_on, name, ...row } = rows[0]
    const fieldIds = await definition(pool, row.app_id)
    return {
      ...row,
      created_on: when(created_on),
      last_modified_on: last_modified_on === null ? null : when(last_modified_on),
      created_by: { ...created_by, name, image, mail: [email] },
      fields: [...fieldIds].flatMap(([external_id, field_id]) => {
        const cell = cells[field_id]
        return cell === undefined ? [] : [{ field_id, external_id, values: cell.map((value) => ({ value })) }]
      })
    }
  }

  app.get("/v1/record/:record_id", async (request, reply) => {
    const caller = await callerOf(pool, request)
    if (caller === undefined) return reply.code(401).send({ status_code: 401 })
    return (await readOne(caller, Number(request.params.record_id))) ?? reply.code(404).send({ status_code: 404 })
  })

  app.post("/mcp", async (request, reply) => {
    const caller = await callerOf(pool, request)
    if (caller === undefined) return reply.code(401).send({ status_code: 401 })
    const { body, status } = await answerTool(request, (recordId) => readOne(caller, recordId))
    return reply.code(status).type("application/json").send(body)
  })

  app.get("/v1/record/:record_id/revision", async (request, reply) => {
    const caller = await callerOf(pool, request)
    if (caller === undefined) return reply.code(401).send({ status_code: 401 })
    const values = [Number(request.params.record_id), caller.org_id]
    const { rows } = await pool.query({ name: "history", text: HISTORY, values })
    const revisions = rows.map(({ created_by, created_on, name, ...row }) => ({
      ...row,
      created_on: when(created_on),
      created_by: { ...created_by, name }
    }))
    return { total: revisions.length, revisions }
  })
}
