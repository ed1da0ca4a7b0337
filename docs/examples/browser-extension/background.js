const DEFAULTS = { server: 'http://127.0.0.1:7007', key: '' };
const RETRY_MS = 1000;

chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.create({ id: 'save-selection', title: 'Save to Lore', contexts: ['selection'] });
});

chrome.contextMenus.onClicked.addListener(async (click) => {
  try {
    await save(click);
    show('✓', 'Saved to Lore');
  } catch (error) {
    show('!', error.message);
  }
});

/** Saves the selected text with the address of its page. Throws with the sentence that Lore answers. */
async function save({ selectionText, pageUrl }) {
  const { server, key } = await chrome.storage.local.get(DEFAULTS);
  const send = () =>
    fetch(`${server}/api/save`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) },
      body: JSON.stringify({ content: `${selectionText}\n\n${pageUrl}`, tags: ['web'], namespace: 'reading' }),
    });
  const response = await send()
    .catch(() => new Promise((resolve) => setTimeout(resolve, RETRY_MS)).then(send))
    .catch(() => Promise.reject(new Error(`No answer from ${server}: is Lore running?`)));
  if (!response.ok) throw new Error((await response.json()).error);
}

/** On the icon of the extension: a sign, and the sentence that shows when you point at it. */
function show(text, title) {
  chrome.action.setBadgeText({ text });
  chrome.action.setTitle({ title });
}
