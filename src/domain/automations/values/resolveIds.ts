// Extracts ids from data where ids are needed instead of displayed values (developer-api.md 7.4). Pure.

import { numberOf } from "../../records/fields/input/numbers.ts"
import type { Found } from "../../records/fields/model/Field.ts"
import { type Data, filesIn, foundWith, type Named } from "./resolveData.ts"
import { visible } from "./resolveProperty.ts"

/** Returns ids of options, records and users in the data; numbers among plain values. */
export const idsOf = (data: Data, found: Found, kind?: Named): ReadonlyArray<number> => {
  if (data.type === "cells") {
    const cellEntities = foundWith(data, found)
    return data.cells
      .flatMap((cell) => visible(cell, data.field, cellEntities))
      .flatMap((entry) => {
        const id = typeof entry === "number" ? entry : numberOf(entry)
        return id !== null && Number.isSafeInteger(id) && id >= 0 ? [id] : []
      })
  }
  const value = data.type === "json" || data.type === "named" ? data.value : null
  if (kind === "files") return filesIn(value).map(({ file_id }) => file_id)
  return (Array.isArray(value) ? value : [value]).flatMap((item) => {
    const idValue = typeof item === "object" && item !== null ? (item.record_id ?? item.user_id ?? item.id) : item
    const id = numberOf(idValue)
    return id !== null && Number.isSafeInteger(id) && id > 0 ? [id] : []
  })
}
