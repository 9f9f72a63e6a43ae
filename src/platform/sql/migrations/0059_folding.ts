// Texts are compared by one folding, that of the evaluator (decisions A25): `fold_case` without case, `fold_text` without case and accents.
// What the locale of the database holds for upper and lower case has no say. Keys of texts stay as the release before reads them, and
// have an index by their folding beside (`laterList.ts`).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { FOLDED_RANGES, foldings } from "../../text/folding.ts"

const hex = (code: number) => `\\U${code.toString(16).padStart(8, "0")}`
const FOLDED = `[${FOLDED_RANGES.map(([first, last]) => `${hex(first)}-${hex(last)}`).join("")}]`

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Keys whose index takes no time. */
const FEW = 10_000

/** Keys of texts by their folding. */
export const KEYS_FOLDED = {
  name: "record_keys_folded",
  on: `ON record_keys (field_id, (fold_text(plain)) COLLATE "C", record_id) WHERE words IS NOT NULL`
}

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const [name, folds] of [
    ["fold_case", foldings.case],
    ["fold_text", foldings.all]
  ] as const) {
    const map = quoted(JSON.stringify(Object.fromEntries(folds)))
    // Each of the characters that occur is replaced at once, wherever it stands; a folded one has no folding of its own. One function of
    // statements without tables: a query within takes ten times as long, and one put into a statement computes its argument again.
    yield* sql.unsafe(`
      CREATE FUNCTION ${name}(value text) RETURNS text
      LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE
        folded text := lower(value COLLATE "C");
        rest text := folded;
        one text;
      BEGIN
        IF octet_length(value) = length(value) THEN
          RETURN folded;
        END IF;
        LOOP
          one := substring(rest FROM '${FOLDED}');
          EXIT WHEN one IS NULL;
          folded := replace(folded, one, coalesce(${map}::jsonb ->> one, one));
          rest := replace(rest, one, '');
        END LOOP;
        RETURN folded;
      END $$`)
  }

  // A large table gets it beside the service (`laterList.ts`).
  const [keys] = yield* sql<{
    few: boolean
  }>`SELECT count(*) <= ${FEW}::int AS few FROM (SELECT 1 FROM record_keys LIMIT ${FEW + 1}) AS counted`
  if (keys?.few === true) yield* sql.unsafe(`CREATE INDEX ${KEYS_FOLDED.name} ${KEYS_FOLDED.on}`)
})
