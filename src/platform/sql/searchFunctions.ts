// Functions by which Postgres makes the line of a search entry (developer-api.md 11.1): the words of its title, `END`, and the words of each of
// its texts, with a blank before and behind each word. Words are split and folded as in `platform/text/searchWords.ts`.
import { anyTag, inlineTag } from "../text/searchLine.ts"
import { FORMS, SEPARATORS, SILENT, UNSPACED } from "../text/searchWords.ts"

const END_SQL = "E'\\x01'"

/**
 * Characters of the texts of one record or comment that are searched: as many as the longest value of a field has. Work on them is done in
 * pieces, since folding a text takes as many passes as it has different letters.
 */
const CHARACTERS = 150_000
const PIECE = 4_000
/** Longer words end there: a lexeme of Postgres has 2,046 bytes. */
const LEXEME = 250
/** A tsvector holds 1 MB, without repetitions. A list of ever new letters that exceeds it is searched in its first characters. */
const VECTOR_BYTES = 1_000_000
const LIST_CHARACTERS = 20_000
/** Bytes of a line that fits in any case, its place of up to 21 bytes before each word. */
const FITTING_BYTES = 40_000

const hex = (code: number) => `\\U${code.toString(16).padStart(8, "0")}`
const classOf = (ranges: typeof SEPARATORS) => ranges.map(([first, last]) => `${hex(first)}-${hex(last)}`).join("")

/** Separators but for the blank and the end of a text. */
const SEPARATING = classOf(
  SEPARATORS.flatMap(([first, last]): typeof SEPARATORS =>
    first === 1
      ? [
          [2, 0x1f],
          [0x21, last]
        ]
      : [[first, last]]
  )
)

export const SEARCH_FUNCTIONS = [
  // Letters of a piece of text, folded.
  `search_letters(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    BEGIN
      IF octet_length(value) = length(value) THEN
        RETURN lower(value COLLATE "C");
      END IF;
      IF value ~ '[${classOf(FORMS)}]' THEN
        value := normalize(value, NFKC);
      END IF;
      RETURN regexp_replace(fold_text(regexp_replace(value, '[${classOf(SILENT)}]+', '', 'g')), '[${classOf(UNSPACED)}]', ' \\& ', 'g');
    END $$`,

  // A line from joined texts: what separates words becomes one blank. Single blanks, which most of them are, are no matches.
  `search_line(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE line text := '';
    BEGIN
      value := replace(value, ${END_SQL}, ' ' || ${END_SQL} || ' ');
      IF length(value) <= ${PIECE} THEN
        line := search_letters(value);
      ELSE
        value := left(value, ${CHARACTERS});
        FOR n IN 0..(length(value) - 1) / ${PIECE} LOOP
          line := line || search_letters(substr(value, n * ${PIECE} + 1, ${PIECE}));
        END LOOP;
      END IF;
      line := regexp_replace(' ' || line || ' ', ' *[${SEPARATING}][ ${SEPARATING}]*|  +', ' ', 'g');
      IF octet_length(line) > 1000 AND line ~ '[^ ]{${LEXEME}}' THEN
        line := regexp_replace(line, '([^ ]{${LEXEME}})[^ ]+', '\\1', 'g');
      END IF;
      IF octet_length(line) > ${FITTING_BYTES} AND
        (SELECT sum(octet_length(word) + 21) FROM (SELECT DISTINCT unnest(string_to_array(line, ' ')) AS word) AS words) > ${VECTOR_BYTES} THEN
        line := left(line, ${LIST_CHARACTERS}) || ' ';
      END IF;
      RETURN line;
    END $$`,

  // Words of a line as the index has them, behind their organization and kind.
  `search_vector(org bigint, kind text, line text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      place text := ' ' || org || CASE kind WHEN 'app' THEN 'a/' WHEN 'automation' THEN 'm/' WHEN 'record' THEN 'r/' WHEN 'comment' THEN 'c/' ELSE 'p/' END;
      words text := replace(replace(rtrim(line), E' \\x01', ''), ' ', place);
    BEGIN
      IF octet_length(words) < ${FITTING_BYTES} THEN
        RETURN words::tsvector;
      END IF;
      RETURN array_to_tsvector(string_to_array(ltrim(words), ' '));
    END $$`,

  // The text of sanitized HTML. A tag ends a word, unless it is one that stands within words.
  `search_untagged(html text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE value text := replace(replace(html, '<p>', ' '), '</p>', ' ');
    BEGIN
      IF strpos(value, '<') > 0 THEN
        value := regexp_replace(regexp_replace(value, '${inlineTag.source}', '', 'g'), '${anyTag.source}', ' ', 'g');
      END IF;
      RETURN replace(replace(replace(value, '&lt;', '<'), '&gt;', '>'), '&amp;', '&');
    END $$`,

  // The line of a record. Texts are taken from the cells all at once and stay JSON, whose signs separate words, as escaped ones do. Options,
  // users, records and files are numbers, and dates have a start. A phone number is found without its blanks too, an untitled record by its number.
  `search_record_line(title text, number bigint, cells jsonb, html_fields text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    DECLARE
      plain jsonb := cells - html_fields;
      texts text := (jsonb_path_query_array(plain, '$.*[*] ? (@.type() == "string")')
        || jsonb_path_query_array(plain, '$.*[*] ? (@.type() == "object").keyvalue() ? (@.key == "title" || @.key == "url" || @.key == "value").value ? (@.type() == "string")')
        || jsonb_path_query_array(plain, '$.*[*] ? (!exists(@.completed)).description ? (@.type() == "string")'))::text;
      phones jsonb := jsonb_path_query_array(plain, '$.*[*].value ? (@ like_regex "^[+0-9][0-9 ()./-]{5,50}$")');
      html text := jsonb_path_query_array(plain, '$.*[*] ? (exists(@.completed)).description ? (@.type() == "string")');
      field text;
    BEGIN
      IF phones <> '[]' THEN
        texts := texts || ${END_SQL} || regexp_replace(replace(phones::text, '", "', ${END_SQL}), '[^0-9\\u0001]', '', 'g');
      END IF;
      FOREACH field IN ARRAY html_fields LOOP
        html := html || ${END_SQL} || coalesce((cells->field)::text, '');
      END LOOP;
      texts := left(texts, ${CHARACTERS}) || ${END_SQL} || search_untagged(left(html, ${2 * CHARACTERS}));
      IF strpos(texts, '\\') > 0 THEN
        texts := regexp_replace(texts, '\\\\(?:u....|.)', ' ', 'g');
      END IF;
      texts := replace(texts, '", "', ${END_SQL});
      RETURN search_line(coalesce(title, number::text) || ${END_SQL} || texts);
    END $$`,

  // Texts of a record by field, as snippets show them. Loops, since the planner takes functions of sets for large, and would compile each call.
  `search_texts(cells jsonb) RETURNS TABLE (field_id bigint, value text) LANGUAGE plpgsql STABLE ROWS 10 AS $$
    DECLARE
      cell jsonb;
      entry jsonb;
      name text;
    BEGIN
      FOR name, cell IN SELECT * FROM jsonb_each(cells) LOOP
        CONTINUE WHEN jsonb_typeof(cell) <> 'array';
        field_id := name::bigint;
        FOR n IN 0..jsonb_array_length(cell) - 1 LOOP
          entry := cell->n;
          value := CASE jsonb_typeof(entry)
            WHEN 'string' THEN entry#>>'{}'
            WHEN 'object' THEN CASE
              WHEN entry ? 'start' THEN NULL
              WHEN entry ? 'url' THEN concat_ws(' ', entry->>'title', entry->>'url', entry->>'description')
              WHEN entry ? 'completed' THEN concat_ws(' ', entry->>'title', search_untagged(entry->>'description'))
              ELSE entry->>'value' END END;
          CONTINUE WHEN value IS NULL OR value = '';
          IF jsonb_typeof(entry) = 'string' AND value ~ '[<&]'
            AND (SELECT f.field_type FROM fields f WHERE f.field_id = search_texts.field_id) = 'multi_text' THEN
            value := search_untagged(value);
          END IF;
          RETURN NEXT;
        END LOOP;
      END LOOP;
    END $$`
]
