// Blocks of ids for an import of an organization (docs/operations.md, "Take an organization's data along"): as they were where nothing has
// been given out from the lowest on, otherwise right behind what has been; and one more, which is nobody's. The service's role may draw from sequences and set none.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  // The first statement on the sequence is its lock: whoever draws meanwhile waits until the transaction is over. It only goes forward, and
  // never so far that ids stop to be exact numbers in JSON after some imports.
  yield* sql.unsafe(`
    CREATE FUNCTION reserve_ids(sequence regclass, lowest bigint, highest bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp SET lock_timeout = '5s' AS $$
    DECLARE
      given bigint;
      first bigint;
    BEGIN
      IF lowest < 1 OR highest < lowest OR highest - lowest > 100000000000 THEN
        RAISE EXCEPTION 'no block from % to %', lowest, highest;
      END IF;
      IF NOT EXISTS (SELECT 1 FROM pg_class WHERE oid = sequence AND relkind = 'S'
          AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'organizations'::regclass)) THEN
        RAISE EXCEPTION 'no sequence of ids: %', sequence;
      END IF;
      EXECUTE format('ALTER SEQUENCE %s NO CYCLE', sequence);
      EXECUTE format('SELECT CASE WHEN is_called THEN last_value + seqincrement - 1 ELSE last_value - 1 END
        FROM %s, pg_sequence WHERE seqrelid = $1', sequence) INTO given USING sequence;
      first := CASE WHEN lowest > given AND highest - given <= 100000000000 THEN lowest ELSE given + 1 END;
      PERFORM setval(sequence, first + (highest - lowest) + 2, false);
      RETURN first;
    END $$`)
})
