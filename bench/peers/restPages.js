// Pages of orders by hand on Fastify and pg, by one field and sorted by another, with their total: from a table with typed columns and the
// index that fits them. Records are four columns, or the whole that the service answers, to the byte.
import { createHmac } from "node:crypto"

const FOUND = "FROM bench_orders WHERE app_id = $1 AND weight = $2"
const PAGE = `SELECT record_id, reference, weight, remark ${FOUND} ORDER BY reference, record_id LIMIT 50`
const TOTAL = `SELECT count(*)::int AS total ${FOUND}`

/** Reads one record more than a page, which says that there is a next one. */
const WHOLE = `
  SELECT o.*, u.user_id, u.name, u.image, p.email
  FROM (SELECT * ${FOUND} AND org_id = $3 ORDER BY reference, record_id LIMIT 51) o
  LEFT JOIN users u ON u.user_id = o.created_by AND u.org_id = o.org_id LEFT JOIN people p USING (person_id)
  ORDER BY o.reference, o.record_id`
const APP = "SELECT app_id, name, item_name, workspace_id, icon FROM apps WHERE app_id = $1"
const FIELDS = `SELECT field_id, slug AS external_id, label, field_type FROM fields
  WHERE app_id = $1 ORDER BY position`
const typeOf = { single_text: "text", multi_text: "text", number: "number" }

export const pages = ({ app, pool, callerOf, when }) => {
  const query = async (name, text, ...values) => (await pool.query({ name, text, values })).rows
  const cachedApps = new Map()
  const appOf = async (appId) => {
    const cachedApp = cachedApps.get(appId)
    if (cachedApp !== undefined) return cachedApp
    const [{ icon, item_name: record_name, name, workspace_id }] = await query("app", APP, appId)
    const fields = (await query("fields", FIELDS, appId)).map(({ external_id, field_id, field_type, label }) => ({
      ...{ field_id, external_id, label, type: typeOf[field_type], field_type }
    }))
    const iconName = icon === null ? null : icon.type === "emoji" ? icon.emoji : icon.id
    const definition = { shown: { app_id: appId, name, record_name, workspace_id, icon: iconName }, fields }
    cachedApps.set(appId, definition)
    return definition
  }

  const renderRecord = ({ fields, shown }, row) => ({
    record_id: row.record_id,
    app_record_id: row.app_record_id,
    app_id: row.app_id,
    title: row.reference,
    record_url: `${process.env.BASE_URL}/record/${row.record_id}`,
    revision: row.revision,
    created_on: when(row.created_on),
    last_modified_on: row.last_modified_on === null ? null : when(row.last_modified_on),
    deleted_on: null,
    comment_count: row.comment_count,
    created_by: {
      ...{ user_id: row.user_id, mail: [row.email], image: row.image, name: row.name, org_id: row.org_id, type: "user" }
    },
    last_modified_by: null,
    app: shown,
    fields: fields.flatMap((field) => {
      const value = row[field.external_id]
      return value === null ? [] : [{ ...field, values: [{ value }] }]
    })
  })

  const cursorOf = (row) => {
    const content = JSON.stringify({ id: row.record_id, key: row.reference, expires: Date.now() + 86_400_000 })
    return `${Buffer.from(content).toString("base64url")}.${createHmac("sha256", "key").update(content).digest("base64url")}`
  }

  const page = (answer) => async (request, reply) => {
    const caller = await callerOf(pool, request)
    if (caller === undefined) return reply.code(401).send({ status_code: 401 })
    return answer([Number(request.params.app_id), request.body.filters[0].values[0].value], caller)
  }

  app.post(
    "/v1/record/filter/app/:app_id",
    page(async (values) => {
      const records = await query("page", PAGE, ...values)
      const [{ total }] = await query("total", TOTAL, ...values)
      return { total, records }
    })
  )

  app.post(
    "/whole/v1/record/filter/app/:app_id",
    page(async (values, { org_id }) => {
      const definition = await appOf(values[0])
      const rows = await query("whole", WHOLE, ...values, org_id)
      const [{ total }] = await query("total", TOTAL, ...values)
      const shownRows = rows.slice(0, 50)
      const cursor = rows.length > 50 ? cursorOf(shownRows.at(-1)) : null
      return { total, cursor, records: shownRows.map((row) => renderRecord(definition, row)) }
    })
  )
}
