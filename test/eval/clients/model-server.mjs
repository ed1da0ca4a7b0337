// A model that says what it was told to say, on loopback. It speaks the four interfaces that coding agents call: Anthropic's Messages, OpenAI's Responses and
// Chat Completions, and Gemini's generateContent, each streamed or whole. It keeps every request, so that one can look at what reached the model.
import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * A part of an answer: words, or the call of a tool.
 * @typedef {{ text: string } | { call: string, input: object }} Part
 * An answer may look at what is offered first; with `again` it gives something else meanwhile and is asked once more.
 * @typedef {(offered: { name: string }[]) => Part[] | { again: Part[] }} Choice
 * @typedef {{ at: number, path: string, interface: string, body: any, headers: object, isMain: boolean }} ModelRequest
 */

const USAGE = { input: 1000, output: 10 };
/** Said when nothing is left to say, and in answer to requests that are not part of the conversation: titles, summaries. */
const DONE = [{ text: 'Done.' }];

const INTERFACES = [
  { name: 'messages', path: /\/messages$/, answer: messages },
  { name: 'responses', path: /\/responses$/, answer: responses },
  { name: 'chat', path: /\/chat\/completions$/, answer: chat },
  { name: 'gemini', path: /:(?:stream)?generateContent$/i, answer: gemini },
];

/**
 * Starts the model. `say(...answers)` adds answers, each a list of parts: a request that offers tools takes the next one. `requests` has all that came.
 * @param {{ pauseMs?: number }} [options] `pauseMs`: how long each answer takes.
 */
export async function startModel({ pauseMs = 0 } = {}) {
  /** @type {(Part[] | Choice)[]} */
  const answers = [];
  /** @type {ModelRequest[]} */
  const requests = [];
  const others = [];
  const answer = async (req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    let text = '';
    for await (const chunk of req) text += chunk;
    const body = parsed(text);
    const spoken = INTERFACES.find(({ path }) => path.test(pathname));
    if (req.method !== 'POST' || spoken === undefined) {
      others.push(`${req.method} ${req.url}`);
      return sendJson(res, pathname.endsWith('/count_tokens') ? { input_tokens: USAGE.input } : { data: [], models: [] });
    }
    const tools = toolsOf(body);
    const isMain = tools.length > 0;
    requests.push({ at: Date.now(), path: req.url, interface: spoken.name, body, headers: req.headers, isMain });
    const parts = (isMain ? next(answers, tools) : undefined) ?? DONE;
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return spoken.answer({ body, parts, res, isStreamed: body.stream === true || /stream/i.test(pathname) });
  };
  const server = createServer((req, res) => void answer(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    /** Requests that no model answers, as `GET /v1/models`. */
    others,
    /** @param {...(Part[] | Part | string | Choice)} given */
    say(...given) {
      for (const each of given) {
        if (typeof each === 'function') answers.push(each);
        else answers.push(typeof each === 'string' ? [{ text: each }] : [each].flat());
      }
    },
    /** Takes back what was not said, and forgets the requests. */
    reset() {
      for (const list of [answers, requests, others]) list.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function next(answers, tools) {
  const [first] = answers;
  const given = typeof first === 'function' ? first(tools) : first;
  if (given?.again !== undefined) return given.again;
  answers.shift();
  return given;
}

/** Every text in a request with its place: `system`, `user 0`, `assistant 1`, `tool 2`. @returns {{ place: string, text: string }[]} */
export function textsOf({ body }) {
  const system = [body.system, body.instructions, body.systemInstruction?.parts].flatMap(flat).map((text) => ({ place: 'system', text }));
  const list = body.messages ?? body.contents ?? (Array.isArray(body.input) ? body.input : [{ role: 'user', content: body.input }]);
  const said = list.flatMap((message, at) => {
    const role = message.role ?? (message.type?.endsWith('output') ? 'tool' : 'assistant');
    return flat(message.content ?? message.parts ?? message.output ?? []).map((text) => ({ place: `${role} ${at}`, text }));
  });
  return [...system, ...said];
}

/** The tools that a request offers, in one form. @returns {{ name: string, description: string, schema: object }[]} */
export function toolsOf(body) {
  return (body.tools ?? []).flatMap((tool) => {
    if (tool.functionDeclarations !== undefined) return tool.functionDeclarations.map(named);
    // Codex puts the tools of an MCP server below a name of their own.
    if (Array.isArray(tool.tools)) return tool.tools.map((each) => ({ ...named(each), name: `${tool.name}.${each.name}` }));
    return [named(tool.function ?? tool)];
  });
}

const named = ({ name, type, description = '', parameters, input_schema, parametersJsonSchema }) => ({
  name: name ?? type ?? '',
  description,
  schema: input_schema ?? parameters ?? parametersJsonSchema ?? {},
});

function flat(content) {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content.flatMap(flat);
  return flat(content.text ?? content.content ?? content.output ?? content.functionResponse?.response);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

let ids = 0;
const id = (prefix) => `${prefix}_${String((ids += 1)).padStart(6, '0')}`;

function sendJson(res, value) {
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(JSON.stringify(value));
}

/** Server-sent events; `isNamed` puts the type in a line of its own. */
function sendEvents(res, events, { isNamed = true, last = '' } = {}) {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) res.write(`${isNamed ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
  res.end(last);
}

function messages({ body, parts, res, isStreamed }) {
  const content = parts.map((part) =>
    part.call === undefined ? { type: 'text', text: part.text } : { type: 'tool_use', id: id('toolu'), name: part.call, input: part.input },
  );
  const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: USAGE.input, output_tokens: USAGE.output };
  const message = { id: id('msg'), type: 'message', role: 'assistant', model: body.model, stop_sequence: null };
  if (!isStreamed) return sendJson(res, { ...message, content, stop_reason, usage });
  const blocks = content.flatMap((block, index) => {
    const isText = block.type === 'text';
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    return [
      { type: 'content_block_start', index, content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} } },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ];
  });
  return sendEvents(res, [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

function responses({ body, parts, res, isStreamed }) {
  const output = parts.map((part) => {
    if (part.call === undefined) {
      const content = [{ type: 'output_text', text: part.text, annotations: [] }];
      return { type: 'message', id: id('msg'), status: 'completed', role: 'assistant', content };
    }
    const [namespace, name] = part.call.includes('.') ? part.call.split('.') : [undefined, part.call];
    const call = {
      type: 'function_call',
      id: id('fc'),
      call_id: id('call'),
      status: 'completed',
      name,
      arguments: JSON.stringify(part.input),
    };
    return namespace === undefined ? call : { ...call, namespace };
  });
  const usage = {
    input_tokens: USAGE.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: USAGE.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: USAGE.input + USAGE.output,
  };
  const response = { id: id('resp'), object: 'response', created_at: 0, model: body.model, status: 'in_progress', output: [] };
  const whole = { ...response, status: 'completed', output, usage };
  if (!isStreamed) return sendJson(res, whole);
  return sendEvents(res, [
    { type: 'response.created', response },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: whole },
  ]);
}

function chat({ body, parts, res, isStreamed }) {
  const calls = parts.filter((part) => part.call !== undefined);
  const content = parts.map((part) => part.text ?? '').join('') || null;
  const tool_calls = calls.map(({ call, input }, index) => ({
    index,
    id: id('call'),
    type: 'function',
    function: { name: call, arguments: JSON.stringify(input) },
  }));
  const said = { role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) };
  const finish_reason = tool_calls.length > 0 ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: USAGE.input, completion_tokens: USAGE.output, total_tokens: USAGE.input + USAGE.output };
  const common = { id: id('chatcmpl'), created: 0, model: body.model };
  if (!isStreamed) {
    return sendJson(res, { ...common, object: 'chat.completion', choices: [{ index: 0, message: said, finish_reason }], usage });
  }
  const chunk = (delta, finish) => ({ ...common, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] });
  const events = [chunk(said, null), chunk({}, finish_reason), { ...common, object: 'chat.completion.chunk', choices: [], usage }];
  return sendEvents(res, events, { isNamed: false, last: 'data: [DONE]\n\n' });
}

function gemini({ parts, res, isStreamed }) {
  const content = {
    role: 'model',
    parts: parts.map((part) =>
      part.call === undefined ? { text: part.text } : { functionCall: { id: id('call'), name: part.call, args: part.input } },
    ),
  };
  const usageMetadata = { promptTokenCount: USAGE.input, candidatesTokenCount: USAGE.output, totalTokenCount: USAGE.input + USAGE.output };
  const answer = { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata, modelVersion: 'scripted' };
  return isStreamed ? sendEvents(res, [answer], { isNamed: false }) : sendJson(res, answer);
}
