const form = document.querySelector('form');

chrome.storage.local.get({ server: 'http://127.0.0.1:7007', key: '' }).then(({ server, key }) => {
  form.server.value = server;
  form.key.value = key;
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  await chrome.storage.local.set({ server: form.server.value.replace(/\/$/, ''), key: form.key.value.trim() });
  document.querySelector('output').value = 'Saved';
});
