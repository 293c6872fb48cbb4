-- Messages can be wanted as text messages too.
ALTER TABLE identity.channel_preference DROP CONSTRAINT channel_preference_channel_check,
  ADD CONSTRAINT channel_preference_channel_check
    CHECK (channel IN ('site', 'email', 'sms', 'wechat', 'feishu', 'dingtalk'));
